"""The log of Passerelles: what each move did, and how rounds and matches end."""

from __future__ import annotations

from collections.abc import Iterator

from ludotheque.core.events import Event, GameEnded
from ludotheque.core.phrases import Phrase, detailed, phrase, seat_name
from ludotheque.games.passerelles.events import (
    AreasChanged,
    Laid,
    LandscapeLaid,
    NeutralLaid,
    Passed,
    RoundOver,
    events,
)
from ludotheque.games.passerelles.observation import describe_placement
from ludotheque.games.passerelles.rules import PasserellesState


def describe(before: PasserellesState, action: int, after: PasserellesState, viewer: int) -> list[Phrase]:
    """The lines of the log for an action; nothing is secret in this game."""
    return [line for event in events(before, action, after) for line in describe_event(event)]


def describe_event(event: Event) -> Iterator[Phrase]:
    """The lines of the log for an event."""
    seat = seat_name(event.seat)
    match event:
        case NeutralLaid():
            piece = describe_placement(event.placement)
            line = phrase("{seat} lays a neutral piece: {piece}.", seat=seat, piece=piece)
            yield detailed(line, phrase("{seat} lays a neutral piece.", seat=seat))
        case Laid():
            yield _laid(event, seat)
        case Passed(by_choice=True):
            yield phrase("{seat} passes.", seat=seat)
        case Passed():
            yield phrase("{seat} cannot place and passes.", seat=seat)
        case LandscapeLaid():
            yield phrase("The landscape is laid: {seat} opens.", seat=seat)
        case AreasChanged():
            yield phrase("{seat} would now score {points}.", seat=seat, points=event.squares)
        case RoundOver():
            line = phrase(
                "Round {round} is over: {one} scores {first}, {two} scores {second}.",
                round=event.round, first=event.points[0], one=seat_name(0), second=event.points[1], two=seat_name(1),
            )  # fmt: skip
            yield detailed(line, phrase("Round {round} is over.", round=event.round))
        case GameEnded():
            yield _ended(event)


def _laid(event: Laid, seat: Phrase) -> Phrase:
    piece = describe_placement(event.placement)
    if event.height == 0:
        line = phrase("{seat} lays a piece flat: {piece}.", seat=seat, piece=piece)
        return detailed(line, phrase("{seat} lays a piece flat.", seat=seat))
    height = event.height
    line = phrase("{seat} builds a bridge at height {height}: {piece}.", seat=seat, piece=piece, height=height)
    return detailed(line, phrase("{seat} builds a bridge at height {height}.", seat=seat, height=height))


def _ended(event: GameEnded) -> Phrase:
    scores, returns = event.scores, event.returns
    if returns[0] == returns[1]:
        return phrase("A draw: {points} each.", points=scores[0])
    winner = 0 if returns[0] else 1
    return phrase(
        "{seat} wins by {points} to {others}.",
        seat=seat_name(winner), points=scores[winner], others=scores[1 - winner],
    )  # fmt: skip
