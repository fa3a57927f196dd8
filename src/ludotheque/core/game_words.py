"""The words of a game: notation, the log, scores, and the consequences of moves. Compiled.

States are `Any`, so that each game can name its own class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mypy_extensions import mypyc_attr

from ludotheque.core.earnings import Earning, differences
from ludotheque.core.event_notices import EventNotice
from ludotheque.core.events import Event, all_earnings
from ludotheque.core.game_setup import GameSetup, missing
from ludotheque.core.phrases import NOTHING, Phrase, Step, phrase, points, seat_name
from ludotheque.core.seats import SPECTATOR

WORDS_MUST: Final = ("action_to_string", "string_to_action", "steps", "describe")

NOT_ALLOWED: Final = phrase("The rules do not allow this.")


@mypyc_attr(allow_interpreted_subclasses=True)
class GameWords(GameSetup):
    """A game that speaks."""

    # Must.

    def action_to_string(self, state: Any, action: int) -> str:
        """The notation of a legal action or a chance outcome."""
        raise missing(self, "action_to_string")

    def string_to_action(self, state: Any, text: str) -> int:
        """Parse a legal action or a chance outcome; a `MoveError` says why it cannot be played."""
        raise missing(self, "string_to_action")

    def steps(self, state: Any, action: int) -> Sequence[Step]:
        """The small named choices that make up an action, from the first to the last."""
        raise missing(self, "steps")

    def describe(self, before: Any, action: int, after: Any, viewer: int) -> Sequence[Phrase]:
        """The lines of the log for an action or a draw, as far as `viewer` may know what happened."""
        raise missing(self, "describe")

    # May, with the default: choices.

    def asks_ahead(self, state: Any, action: int) -> bool:
        """Whether a page asks for the decision after an action of the same turn together with it: a place on the board
        then answers both. Only where no one knows more than the others. Default: no."""
        return False

    # May, with the default: notation and log.

    def string_to_actions(self, state: Any, text: str) -> list[int]:
        """Parse a line of actions, such as a whole turn. Default: a line is one action."""
        return [self.string_to_action(state, text)]

    def why_not(self, state: Any, picks: Mapping[str, str]) -> Phrase:
        """Say to the seat to act which rule forbids what it picked, the first in the order of the rulebook. `picks`:
        steps that no legal move has together, by kind, the last one picked last, such as `{"cell": "D4"}`; they may
        name nothing at all. See `ludotheque.core.choices.refusal`. Default: the rules do not allow it."""
        return NOT_ALLOWED

    def describe_decision(self, state: Any, action: int) -> Phrase:
        """Describe the decision behind an action in one sentence: as the player knows it, without what the action
        reveals. Default: the first line of the spectators' log, or the label of the last step if there is none."""
        after = state.clone()
        after.apply(action)
        lines = self.describe(state, action, after, SPECTATOR)
        if lines:
            return lines[0]
        label = self.steps(state, action)[-1].label
        return phrase("{seat}: {move}.", seat=seat_name(int(state.current_player())), move=label)

    @classmethod
    def words_in_data(cls) -> Sequence[str]:
        """Words that people read and that come from data files, for the translators' catalogues. Default: none."""
        return ()

    # May, with the default: scores.

    def unit(self) -> Phrase:
        """Return the unit that scores are counted in. Default: points."""
        return phrase("Points")

    def amount(self, number: int) -> Phrase:
        """A number of units, for a sentence: "3 points". Default: points."""
        return points(number)

    def score_text(self, score: int) -> Phrase:
        """A score by itself, as in the standings: "$12". Default: the number."""
        return phrase("{score}", score=score)

    # May, with the default: the consequences of an action.

    def events(self, before: Any, action: int, after: Any) -> Sequence[Event]:
        """Return what an action or a draw made happen, the action itself first, secrets included. Default: nothing."""
        return ()

    def seen_events(self, before: Any, action: int, after: Any, viewer: int) -> Sequence[Event]:
        """The events as far as `viewer` may know them. Default: all if the game hides nothing, else none."""
        return () if self.has_hidden_information else self.events(before, action, after)

    def describe_event(self, event: Event) -> Iterable[Phrase]:
        """The lines of the log for an event that a viewer may know. Default: none."""
        return ()

    def event_notices(self, events: Sequence[Event]) -> Iterable[EventNotice]:
        """The notices that pages show over the board for those events of one action, as far as a viewer may know them,
        that decide a game. Default: none."""
        return ()

    def earnings(self, before: Any, action: int, after: Any) -> Sequence[Earning]:
        """Return what an action or a draw earned or cost each seat, by source; the sum is the change of scores. This
        includes what is still secret (see `shows_scores`). Default: those of the events; without events, one source."""
        found = self.events(before, action, after)
        return all_earnings(found) if found else differences(self.unit(), before.scores(), after.scores())

    def effects(self, before: Any, action: int, after: Any, seat: int) -> Sequence[Phrase]:
        """Describe what an action of a seat changes beyond the scores, to that seat, the weightiest first; each names a
        number. Reasons of a hint are made from these. `before` and `after` are positions as the seat may know them."""
        return ()

    def forecast(self, before: Any, action: int, after: Any, seat: int) -> Sequence[Phrase]:
        """Describe the consequences of an action, with numbers, to the seat that considers it. `before` and
        `after` are positions as the seat may know them. Default: what the log would say."""
        return self.describe(before, action, after, seat)

    def expected_gains(self, before: Any, action: int, after: Any, seat: int) -> Sequence[int]:
        """Return the points that each seat gets at once, for pages to show in its colour before what the `forecast`
        says. Default: nothing; the forecast says it."""
        return ()

    def themes(self, before: Any, actions: Sequence[int]) -> Sequence[Phrase]:
        """Name the themes of a turn, in a word or two each, for puzzles. `actions`: the decisions of the seat to act
        in its turn, the move in question first. Default: nothing."""
        return ()

    def theme_meaning(self, theme: str) -> Phrase:
        """Explain a theme of the game's puzzles in a short sentence. Default: nothing."""
        return NOTHING
