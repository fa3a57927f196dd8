"""The services of a running server: made, started and stopped together."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, get_args
from urllib.parse import urlsplit

from ludotheque.core.registry import game_names
from ludotheque.server.after.cleaning import TableCleaner
from ludotheque.server.after.results import ResultLog
from ludotheque.server.after.reviewer import Reviewer
from ludotheque.server.after.studies import SECONDS, Studies
from ludotheque.server.bots.advice import Advisor
from ludotheque.server.bots.custom import CustomBots
from ludotheque.server.bots.runner import BOT_TABLES_PER_ADDRESS, BotRunner
from ludotheque.server.bots.workers import BotWorkers
from ludotheque.server.club.bot_games import BotGames
from ludotheque.server.club.director import TournamentDirector
from ludotheque.server.club.pairing import Pairing
from ludotheque.server.club.ratings import RatingLog
from ludotheque.server.cluster.processes import Processes
from ludotheque.server.cluster.remote import RemoteEvents
from ludotheque.server.config import Feature, Settings
from ludotheque.server.http.limits import Limits
from ludotheque.server.http.pacing import Pacer
from ludotheque.server.mail.emails import EmailWriter
from ludotheque.server.mail.mailer import Mailer
from ludotheque.server.mail.smtp import read_smtp_url
from ludotheque.server.reminders.scheduler import Reminders
from ludotheque.server.routes.context import Services
from ludotheque.server.storage.database import Storage
from ludotheque.server.storage.processes import claim_reviews
from ludotheque.server.table_bots import TableBots
from ludotheque.server.tables.actions import TableActions
from ludotheque.server.tables.cache import LiveTables
from ludotheque.server.tables.dice_timer import TableDice
from ludotheque.server.tables.endings import Endings
from ludotheque.server.tables.events import TableEvents
from ludotheque.server.tables.moderation import Moderation
from ludotheque.server.tables.opening import TableOpener
from ludotheque.server.tables.premoves import PremovePlayer
from ludotheque.server.tables.presence import Presences
from ludotheque.server.tables.reading import UntrustedReader
from ludotheque.server.tables.rematches import Rematches
from ludotheque.server.tables.seating import Seating
from ludotheque.server.tables.sockets import Broadcast
from ludotheque.server.tables.view_cache import ViewCache
from ludotheque.server.tables.writing import TableWriter
from ludotheque.server.workers import LimitedWorkers

if TYPE_CHECKING:
    from ludotheque.server.metrics import Metrics
    from ludotheque.server.reminders.pusher import Pusher

_LOG: Final = logging.getLogger("ludotheque.server")


def new_services(settings: Settings, storage: Storage, metrics: Metrics | None) -> Services:
    """The parts of a server. Those that react to changes subscribe to the events in their constructors."""
    events = TableEvents(storage.process)
    live_tables = LiveTables(storage, settings.tables_in_memory)
    views = ViewCache()
    writer = TableWriter(live_tables, events)
    actions = TableActions(writer, metrics.count_move if metrics else None)
    bot_workers = BotWorkers(settings.workers)
    bot_tables = BOT_TABLES_PER_ADDRESS if settings.limits else sys.maxsize
    most_listed = settings.most.open_tables if settings.limits else sys.maxsize
    readers = LimitedWorkers(2, settings.reading_seconds)
    study_workers = LimitedWorkers(1, SECONDS)
    presences = Presences(live_tables, events)
    bots = TableBots(settings.bots)
    custom_bots = CustomBots(bots, settings.bot_clock, settings.workers)
    runner = BotRunner(live_tables, bot_workers, custom_bots, events, actions.move, presences.watched_from, bot_tables)
    remote = RemoteEvents(settings, live_tables, events) if settings.channels == "postgres" else None
    pusher = _new_pusher(settings, storage)
    opener = TableOpener(live_tables, events, UntrustedReader(readers), bots, most_listed=most_listed)
    return Services(
        events=events,
        live_tables=live_tables,
        views=views,
        opener=opener,
        writer=writer,
        actions=actions,
        seating=Seating(writer, actions.draw),
        dice=TableDice(live_tables, events, writer, actions.draw),
        moderation=Moderation(writer),
        rematches=Rematches(live_tables, writer, presences),
        endings=Endings(writer),
        operator_token=settings.operator_token,
        presences=presences,
        broadcast=Broadcast(views, presences, events),
        limits=Limits(settings.limits, settings.most.profiles),
        pacer=Pacer(),
        bot_workers=bot_workers,
        advisor=Advisor(bot_workers.hints),
        runner=runner,
        results=ResultLog(live_tables, events),
        reviewer=Reviewer(live_tables, bots, settings.bot_clock, partial(claim_reviews, storage) if remote else None),
        readers=readers,
        bots=bots,
        custom_bots=custom_bots,
        study_workers=study_workers,
        studies=Studies(study_workers),
        metrics=metrics,
        remote=remote,
        table_cleaner=TableCleaner(live_tables, settings.forget_after),
        premoves=PremovePlayer(live_tables, events, actions.move),
        pairing=Pairing(storage, opener, events),
        ratings=RatingLog(live_tables, events),
        director=TournamentDirector(live_tables, opener, writer, events, most_organised=settings.most.tournaments),
        most=settings.most,
        features=settings.features & _installed_features(),
        reminders=Reminders(storage, presences, events, _new_mailer(settings), pusher, settings.remind_after),
        pusher=pusher,
    )


def _new_mailer(settings: Settings) -> Mailer | None:
    """E-mail, where there is a mail server."""
    if not settings.smtp_url:
        return None
    sender = settings.mail_from or f"ludotheque@{urlsplit(settings.public_url).hostname}"
    return Mailer(EmailWriter(settings.public_url, sender), read_smtp_url(settings.smtp_url).send)


def _installed_features() -> frozenset[Feature]:
    """The features whose libraries are installed."""
    libraries: dict[Feature, str] = {"push": "cryptography", "passkeys": "fido2"}
    missing = {feature for feature, library in libraries.items() if find_spec(library) is None}
    return frozenset(get_args(Feature)) - missing


def _new_pusher(settings: Settings, storage: Storage) -> Pusher | None:
    """Push messages, where their library is installed and the operator has not switched them off."""
    if "push" not in settings.features & _installed_features():
        return None
    from ludotheque.server.push.sender import PushSender
    from ludotheque.server.reminders.pusher import Pusher

    contact = settings.public_url if settings.public_url.startswith("https://") else ""
    return Pusher(storage, PushSender(contact))


@asynccontextmanager
async def running(services: Services) -> AsyncIterator[None]:
    """Start the services, and stop them in the end."""
    processes = _new_processes(services)
    if services.remote and processes:
        await services.remote.start()
        await processes.start()
    else:
        await services.runner.resume()
    await services.premoves.resume()
    services.reviewer.resume()
    services.results.catch_up()
    services.ratings.catch_up()
    services.director.start_looking()
    bot_games = BotGames(services.live_tables, services.writer)
    bot_games.looking.start()
    services.table_cleaner.start()
    services.reminders.start()
    tune_gc()
    _LOG.info("ready", extra={"games": game_names()})
    try:
        yield
    finally:
        services.broadcast.stop()
        await services.pairing.stop()
        await services.director.stop()
        await bot_games.looking.stop()
        await services.runner.stop()
        await services.premoves.stop()
        await services.dice.stop()
        await services.writer.finish()
        if processes:
            await processes.stop()
        await services.table_cleaner.stop()
        await services.reminders.stop()
        await services.reviewer.stop()
        await services.results.stop()
        await services.ratings.stop()
        await services.bot_workers.stop()
        await services.custom_bots.stop()
        await services.readers.stop()
        await services.study_workers.stop()
        if services.remote:
            await services.remote.stop()


def _new_processes(services: Services) -> Processes | None:
    """The other processes, where there may be any."""
    if services.remote is None:
        return None
    storage, events = services.live_tables.storage, services.events
    resume_reviews = services.reviewer.resume
    return Processes(storage, services.remote, services.presences, events, partial(take_over, services), resume_reviews)


async def take_over(services: Services, tables: Collection[str]) -> None:
    """Do what another process left undone at these tables."""
    await services.runner.resume(tables)
    await services.premoves.resume(tables)


def watch(metrics: Metrics, services: Services) -> None:
    """Report the state of the services."""
    metrics.watch("tables", "Tables in memory.", lambda: len(services.live_tables))
    metrics.watch("sockets", "Open sockets.", lambda: len(services.presences))
    metrics.watch("searches_waiting", "Bots that wait for a free worker.", lambda: services.bot_workers.waiting)
    metrics.watch("searches_running", "Bots that think.", lambda: services.bot_workers.running)
    remote = services.remote
    if remote:
        metrics.watch("listener_up", "Whether events of other processes arrive.", lambda: int(remote.is_listening))
        metrics.watch("listener_losses", "How often the listener was lost.", lambda: remote.losses)


def tune_gc() -> None:
    """Collect cyclic garbage seldom: views make many small values and hardly any cycles, and with a thousand sockets
    open each collection takes longer than the move that caused it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
