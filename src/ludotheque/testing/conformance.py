"""The conformance suite: plays random games and checks at every position what a game promises to its callers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from xml.etree import ElementTree as ET

import msgspec
from librt.random import Random

from ludotheque.core.choices import choices
from ludotheque.core.earnings import totals
from ludotheque.core.errors import BadPosition, IllegalMove, LudothequeError, MoveError, NoSuchSeat
from ludotheque.core.events import Event, all_earnings
from ludotheque.core.game import CHANCE, GAME_MUST, SPECTATOR, STATE_MUST, TERMINAL, Game, State
from ludotheque.core.ghosts import scene_of
from ludotheque.core.layout import OFF_BOARD, WORD, Layout
from ludotheque.core.phrases import Phrase
from ludotheque.core.plain import PLAIN_STATE_MUST, PlainGame, PlainState
from ludotheque.core.planes import planes_of
from ludotheque.core.playout import playout
from ludotheque.core.scene import Scene
from ludotheque.testing.modes import check_both_modes
from ludotheque.testing.posterior import Belief

_BOTH = "(observe shows it, or resample_from_infostate changes what is not hidden)"
FOLLOWED_PLIES = 40
"""Plies of the first game at which resampling is compared with exact probabilities, where these are few."""
SAMPLED_MOVES = 12
"""The most legal moves that are tried in a position."""


def check_game(game: Game, *, games: int = 3, seed: int = 1, every: int = 5, both_modes: bool = True) -> None:
    """Check that a game provides what it must, then play random games and check every promise.

    An AssertionError says which promise is broken, and where. The quick promises are checked at every position, the
    slow ones (texts, pictures, secrecy) at every `every`-th. With `both_modes`, the same games are played in the
    other mode (pure or compiled) and must be the same move by move.
    """
    _check_provided(game)
    _check_variants(game)
    changed = False
    for number in range(seed, seed + games):
        changed |= _Play(game, number, every, with_beliefs=number == seed).to_the_end()
    if game.has_hidden_information:
        assert changed, "no position ever had a hidden fact to change, although the game says it hides some"
    _check_bad_input(game)
    _check_wrong_use(game)
    _check_actions_on_planes(game)
    if both_modes:
        check_both_modes(game, games=games, seed=seed)


def _check_provided(game: Game) -> None:
    """Name every method that the game must provide and does not."""
    missing = _missing(type(game), Game, [*GAME_MUST, *(["max_chance_outcomes"] if game.has_chance else [])])
    if isinstance(game, PlainGame):
        missing += _missing(game.state_class, PlainState, [*PLAIN_STATE_MUST])
    if "new_initial_state" not in missing:
        state = type(game.new_initial_state())
        missing += _missing(state, State, [*STATE_MUST, *(["chance_into"] if game.has_chance else [])])
    assert not missing, f"{type(game).__name__} does not provide what every game needs: {', '.join(missing)}"


def _check_variants(game: Game) -> None:
    for variant in game.variants:
        shown = type(game)(settings=variant.settings).shown_title()
        assert shown == variant.title, f"a table of the variant {variant.name} has the title {shown!r}"


def _missing(kind: type, base: type, needed: list[str]) -> list[str]:
    """The methods that a class still has from its base."""
    return [f"{kind.__name__}.{name}" for name in needed if getattr(kind, name) is getattr(base, name)]


class _Play:
    """One random game under inspection."""

    def __init__(self, game: Game, seed: int, every: int, with_beliefs: bool = False) -> None:
        self.game = game
        self.rng = Random(seed)
        self.seed = seed
        self.every = every
        self.state: State = game.new_initial_state()
        self.ply = 0
        self.decisions = 0
        self.hidden_changed = False
        self.counted = self.state.scores()
        """The scores by seat without what counts only at the end."""
        self.planes = planes_of(game)
        self.named_bits = _named_bits(self.planes.layout)
        self.by_key: dict[int, tuple[int, list[int], list[int]]] = {}
        follows = with_beliefs and game.has_hidden_information
        self.beliefs = [Belief(game, viewer, self.state) for viewer in self.viewers()] if follows else []

    def to_the_end(self) -> bool:
        """Play the game and check it; return whether a hidden fact could be changed on the way."""
        try:
            return self._play_on()
        except AssertionError:
            raise
        except Exception as error:  # of the game, most likely: say where
            error.add_note(f"{self.game!r}, seed {self.seed}, ply {self.ply}: {type(error).__name__} while checking")
            raise

    def _play_on(self) -> bool:
        while True:
            self.check_turn()
            self.check_transposition_key()
            slow = self.ply % self.every == 0 or self.state.is_terminal()
            if slow:
                self.check_position()
                self.check_secrecy()
                self.check_pictures()
            if self.state.is_terminal():
                return self.hidden_changed
            self.check_actions(slow)
            self.step(slow)

    def viewers(self) -> list[int]:
        """Every seat, and the spectator."""
        return [*range(self.game.players), SPECTATOR]

    def ensure(self, kept: bool, promise: str) -> None:
        """Raise an AssertionError with the seed, the ply and the position if a promise is broken."""
        assert kept, f"{self.game!r}, seed {self.seed}, ply {self.ply}: {promise}\n{self.state!r}"

    # Every position.

    def check_turn(self) -> None:
        """Check that the player to act, the scores and the returns agree with each other."""
        player = self.state.current_player()
        self.ensure(
            player in (CHANCE, TERMINAL) or 0 <= player < self.game.players,
            "current_player is not a seat, CHANCE or TERMINAL",
        )
        self.ensure(self.state.is_terminal() == (player == TERMINAL), "is_terminal disagrees with current_player")
        self.ensure(self.state.is_chance_node() == (player == CHANCE), "is_chance_node disagrees with current_player")
        self.ensure(len(self.state.scores()) == self.game.players, "scores are not one for each seat")
        returns = self.state.returns()
        if player == TERMINAL:
            self.ensure(self.game.shows_scores(self.state, SPECTATOR), "the scores stay hidden after the end")
            self.ensure(math.isclose(sum(returns), 1), "returns at the end are not shares of one win")
            self.ensure(self.state.legal_actions() == [], "there are legal actions after the end")
        else:
            self.ensure(not any(returns), "there are returns before the end")
        self.ensure(self.decisions <= self.game.max_game_length(), "the game is longer than max_game_length")

    def check_transposition_key(self) -> None:
        """Positions with the same key have the same player, actions and scores."""
        key = int(self.state.transposition_key())
        facts = int(self.state.current_player()), self.state.legal_actions(), self.state.scores()
        if key != 0:
            self.ensure(self.by_key.setdefault(key, facts) == facts, "different positions have one transposition key")

    def check_actions(self, slow: bool) -> None:
        """The legal actions, or the outcomes and their probabilities, are well formed."""
        legal = self.state.legal_actions()
        self.ensure(bool(legal), "nothing is legal, and the game is not over")
        self.ensure(legal == sorted(set(legal)), "legal actions are not ascending")
        if self.state.is_chance_node():
            weights = [weight for _, weight in self.state.weighted_outcomes()]
            self.ensure(all(weight > 0 for weight in weights), f"a draw has a weight that is not positive: {weights}")
            self.ensure(legal[0] >= 0 and legal[-1] < self.game.max_chance_outcomes(), "an outcome is out of range")
            outcomes = self.state.chance_outcomes()
            self.ensure([outcome for outcome, _ in outcomes] == legal, "chance_outcomes disagrees with legal_actions")
            self.ensure(math.isclose(sum(chance for _, chance in outcomes), 1), "chances do not sum to 1")
        else:
            self.ensure(legal[0] >= 0 and legal[-1] < self.game.num_distinct_actions(), "an action is out of range")
            self.ensure(len(legal) <= self.game.max_legal_actions(), "more actions are legal than max_legal_actions")
        if slow:
            self.check_is_legal(legal)
            self.check_texts(legal)
            self.check_clones(legal)
            self.check_choices(legal)
            self.check_decisions(legal)
            self.check_unseen(legal)
            self.check_seen(legal)

    def step(self, slow: bool) -> None:
        """Carry out a random action, and check what it earned and what the log says."""
        action = self.state.sample(self.rng)
        self.ensure(action in self.state.legal_actions(), "sample gave an action that is not legal")
        before = self.state.clone()
        if slow:
            self.check_illegal()
        self.decisions += not self.state.is_chance_node()
        self.state.apply_action(action)
        self.ply += 1
        self.follow_beliefs(before, int(action))
        if slow:
            self.check_resampling()
        self.check_earnings(before, int(action))
        if slow:
            self.check_events(before, int(action))
            self.check_lines(before, int(action))
            for viewer in self.viewers():
                self.check_log(before, int(action), viewer)

    def check_earnings(self, before: State, action: int) -> None:
        """Check that earnings add up to the change of the scores, and those that count to the final scores."""
        players, scores = self.game.players, self.state.scores()
        change = [now - was for was, now in zip(before.scores(), scores, strict=True)]
        earned = self.game.earnings(before, action, self.state)
        self.check_words("earnings", (earning.source for earning in earned))
        self.ensure(totals(earned, players) == change, "the earnings do not add up to the change of the scores")
        events = self.game.events(before, action, self.state)
        agree = not events or totals(all_earnings(events), players) == change
        self.ensure(agree, "the amounts of the events do not add up to the change of the scores")
        counting = totals(earned, players, ["now"])
        self.counted = [so_far + now for so_far, now in zip(self.counted, counting, strict=True)]
        if self.state.is_terminal():
            self.ensure(self.counted == scores, "earnings that count now do not add up to the final scores")

    def some(self, actions: list[int]) -> list[int]:
        """All actions, or a random sample if there are many."""
        if len(actions) <= SAMPLED_MOVES:
            return actions
        return sorted({actions[self.rng.randrange(len(actions))] for _ in range(SAMPLED_MOVES)})

    # Actions.

    def check_is_legal(self, legal: list[int]) -> None:
        """`is_legal` knows the legal actions from those beside them."""
        tried = self.some(legal)
        for action in sorted({action + step for action in tried for step in (-1, 0, 1)}):
            self.ensure(
                self.state.is_legal(action) == (action in legal), f"is_legal is wrong about the action {action}"
            )

    def check_texts(self, legal: list[int]) -> None:
        """The notation of every move can be parsed again."""
        for action in self.some(legal):
            text = self.state.action_to_string(action)
            self.ensure(
                bool(text) and text == text.strip() and text.isprintable(), f"the move {text!r} is no clean text"
            )
            self.ensure(self.state.string_to_action(text) == action, f"the move {text!r} is not read back")

    def check_clones(self, legal: list[int]) -> None:
        """A clone is equal and independent, and an action always leads to the same position."""
        position = self.state.position()
        for action in self.some(legal):
            copy = self.state.clone()
            self.ensure(copy is not self.state and copy.position() == position, "a clone is another position")
            copy.apply_action(action)
            self.ensure(self.state.position() == position, "a move on a clone changed the original")
            again = self.state.clone()
            again.apply(action)
            self.ensure(again.position() == copy.position(), "the same action twice gave two positions")

    def check_choices(self, legal: list[int]) -> None:
        """The tree of choices has exactly the legal actions as its leaves."""
        tree = choices(self.state)
        actions = sorted(leaf.action for choice in tree for leaf in choice.leaves() if leaf.action is not None)
        self.ensure(
            actions == ([] if self.state.is_chance_node() else legal), "the choices (steps) are not the legal actions"
        )
        self.check_words("steps", (leaf.step.label for choice in tree for leaf in choice.leaves()))

    def check_words(self, method: str, words: Iterable[Phrase]) -> None:
        """No phrase that a method returns is empty."""
        for phrase in words:
            self.ensure(bool(str(phrase).strip()), f"{method} gives an empty phrase")

    def check_decisions(self, legal: list[int]) -> None:
        """Check that each decision has a different sentence."""
        if self.state.is_chance_node():
            return
        actions = self.some(legal)
        words = [self.game.describe_decision(self.state, action) for action in actions]
        self.check_words("describe_decision", words)
        same = [text for text, times in Counter(map(str, words)).items() if times > 1]
        self.ensure(not same, f"two decisions have the same sentence (describe_decision): {same}")

    def check_events(self, before: State, action: int) -> None:
        """The places of events are pieces that the viewer sees, the log is made of the events, and all see the same
        ones if nothing is hidden."""
        for viewer in self.viewers():
            seen = self.game.seen_events(before, action, self.state, viewer)
            shown = (before, self.state, self.game.before_clearing(before, action, self.state))
            scenes = [scene_of(state, viewer) for state in shown] if seen else []
            ids = {piece.id for scene in scenes for piece in scene.pieces}
            unknown = [id for event in seen for id in event.places if id not in ids]
            self.ensure(not unknown, f"viewer {viewer} is shown events at pieces that it does not see: {unknown}")
            self.check_notices(seen, ids)
            lines = [line for event in seen for line in self.game.describe_event(event)]
            if lines:
                told = list(self.game.describe(before, action, self.state, viewer))
                self.ensure(lines == told, "the log (describe) says other things than the events (describe_event)")
            if not self.game.has_hidden_information:
                same = list(seen) == list(self.game.events(before, action, self.state))
                self.ensure(same, "nothing is hidden, but the events depend on the viewer")

    def check_notices(self, seen: Sequence[Event], ids: set[str]) -> None:
        """Notices of events have titles, and show pieces that the viewer sees."""
        notices = list(self.game.event_notices(seen))
        self.check_words("event_notices", (notice.title for notice in notices))
        places = [id for notice in notices for id in notice.all_places]
        self.ensure(ids.issuperset(places), "a notice (event_notices) shows pieces that its viewer does not see")

    def check_lines(self, before: State, action: int) -> None:
        """The lines of the log are not empty, and the same for all viewers if nothing is hidden."""
        lines = [list(self.game.describe(before, action, self.state, viewer)) for viewer in self.viewers()]
        for seen in lines:
            self.check_words("describe", seen)
            if not self.game.has_hidden_information:
                self.ensure(seen == lines[0], "nothing is hidden, but the log depends on the viewer")

    def check_illegal(self) -> None:
        """An illegal action is refused and changes nothing."""
        position = self.state.position()
        for action in (-1, self.game.num_distinct_actions() + self.game.max_chance_outcomes()):
            try:
                self.state.apply_action(action)
            except IllegalMove:
                continue
            self.ensure(False, f"the illegal action {action} was carried out")
        self.ensure(self.state.position() == position, "an illegal action changed the position")

    # Positions, secrets, pictures.

    def check_position(self) -> None:
        """Check that a position written as text and read again is the same for every viewer."""
        text = self.state.position()
        self.ensure("\n" not in text, "a position is more than one line")
        read = self.game.read_position(text)
        self.ensure(read.position() == text, "a position string is not read back")
        self.ensure(read.current_player() == self.state.current_player(), "a position read back has another player")
        self.ensure(read.legal_actions() == self.state.legal_actions(), "a position read back has other actions")
        self.ensure(read.scores() == self.state.scores(), "a position read back has other scores")
        self.ensure(read.transposition_key() == self.state.transposition_key(), "a position read back has another key")
        for viewer in self.viewers():
            self.ensure(
                self.seen(read, viewer) == self.seen(self.state, viewer), "a position read back looks different"
            )

    def seen(self, state: State, viewer: int) -> bytes:
        """The observation of a viewer, encoded."""
        return msgspec.json.encode(state.observation(viewer))

    def check_secrecy(self) -> None:
        """Change hidden facts: what the viewer sees must not change by one byte."""
        for viewer in self.viewers():
            seen = self.seen(self.state, viewer)
            observation = self.state.observation(viewer)
            back = msgspec.json.decode(seen, type=type(observation))
            self.ensure(msgspec.json.encode(back) == seen, "an observation is not a plain value")
            other = self.state.resample_from_infostate(viewer, self.rng)
            self.hidden_changed |= other.position() != self.state.position()
            self.ensure(self.seen(other, viewer) == seen, f"viewer {viewer} sees what should be hidden {_BOTH}")
            words = self.words(self.state, viewer)
            self.ensure(self.words(other, viewer) == words, f"the planes of viewer {viewer} tell what should be hidden")
            self.check_layout(words)
            if self.game.shows_scores(self.state, viewer):
                self.ensure(other.scores() == self.state.scores(), "scores that are shown tell what should be hidden")
            self.ensure(other.current_player() == self.state.current_player(), "resampling changed whose turn it is")
            if self.state.current_player() == viewer:
                self.ensure(other.legal_actions() == self.state.legal_actions(), "resampling changed the legal actions")
                self.ensure(choices(other) == choices(self.state), "the choices tell what should be hidden")
                self.check_rest_of_turn(other)
                self.check_reveals(other)

    def follow_beliefs(self, before: State, action: int) -> None:
        """Carry along what each viewer can believe, for a while and as long as it is few positions."""
        for belief in self.beliefs:
            belief.follow(before, action, self.state)
        self.beliefs = [belief for belief in self.beliefs if belief.is_small and self.ply < FOLLOWED_PLIES]

    def check_resampling(self) -> None:
        """Resampling gives every position that is possible for a viewer as often as it is likely."""
        for belief in self.beliefs:
            problem = belief.complaint(self.state, Random(self.seed + self.ply))
            self.ensure(not problem, problem)

    def check_rest_of_turn(self, other: State) -> None:
        """Check that the next actions in the same turn do not depend on hidden facts: search relies on it."""
        seat = self.state.current_player()
        for action in self.some(self.state.legal_actions()):
            after, after_other = self.state.clone(), other.clone()
            after.apply(action)
            after_other.apply(action)
            players = (after.current_player(), after_other.current_player())
            if seat in players:
                self.ensure(
                    players == (seat, seat) and after.legal_actions() == after_other.legal_actions(),
                    "what a player may do next depends on a hidden fact that its own move revealed; make that a draw",
                )

    def check_reveals(self, other: State) -> None:
        """A move by which its player learns something hidden before it acts again must not be undone (`reveals`)."""
        seat = int(self.state.current_player())
        for action in self.some(self.state.legal_actions()):
            after, after_other = self.state.clone(), other.clone()
            after.apply(action)
            after_other.apply(action)
            learns = after.current_player() == seat and self.seen(after, seat) != self.seen(after_other, seat)
            self.ensure(
                not learns or self.game.reveals(self.state, action),
                f"the action {action} shows something hidden, but reveals says no",
            )

    def words(self, state: State, viewer: int) -> list[int]:
        return self.planes.words(state, viewer)

    def check_layout(self, words: list[int]) -> None:
        """Every bit that is written belongs to a plane or a field."""
        self.ensure(min(words, default=0) >= 0, "a word of the planes is negative")
        unnamed = {word for word, named in enumerate(self.named_bits) if words[word] & ~named}
        self.ensure(not unnamed, f"the planes write bits that their layout does not name, in the words {unnamed}")

    def check_unseen(self, legal: list[int]) -> None:
        """A move or draw that a viewer does not see must not change what the viewer sees and reads."""
        for viewer in self.viewers():
            unseen = [action for action in legal if not self.game.sees(self.state, action, viewer)]
            traces = {self.trace(self.state, action, viewer) for action in unseen}
            self.ensure(len(traces) <= 1, f"viewer {viewer} can tell apart moves or draws it does not see (sees)")
            told = len(unseen) > 1 and any(self.told(action, viewer) for action in unseen)
            self.ensure(not told, f"viewer {viewer} is told of a move or draw it does not see (seen_by_now)")

    def check_seen(self, legal: list[int]) -> None:
        """Two moves or draws that a viewer sees, and that lead to different positions, look different to it."""
        for viewer in self.viewers():
            positions: dict[tuple[bytes, bytes], str] = {}
            for action in self.some([action for action in legal if self.game.sees(self.state, action, viewer)]):
                after = self.state.clone()
                after.apply(action)
                same = positions.setdefault(self.trace(self.state, action, viewer), after.position())
                self.ensure(
                    same == after.position(),
                    f"viewer {viewer} cannot tell apart moves or draws that it is said to see (sees)",
                )

    def told(self, action: int, viewer: int) -> bool:
        """Whether `seen_by_now` says of an action, right after it, that a viewer knows it."""
        after = self.state.clone()
        after.apply(action)
        return self.game.seen_by_now(self.state, action, after, viewer)

    def check_log(self, before: State, action: int, viewer: int) -> None:
        """Log and events must not say more than the view: if hidden facts are changed and the viewer sees the same
        after the action, they must be the same too."""
        other = before.resample_from_infostate(viewer, self.rng)
        if action in other.legal_actions():
            seen, lines = self.trace(before, action, viewer)
            seen_there, lines_there = self.trace(other, action, viewer)
            self.ensure(
                seen != seen_there or lines == lines_there, f"log or events tell viewer {viewer} what is hidden"
            )

    def trace(self, before: State, action: int, viewer: int) -> tuple[bytes, bytes]:
        """Return what a viewer sees after an action, and what log, events, notices and a cleared board say of it."""
        after = before.clone()
        after.apply(action)
        seen = self.seen(after, viewer) + msgspec.json.encode(self.words(after, viewer))
        events = self.game.seen_events(before, action, after, viewer)
        told = self.game.describe(before, action, after, viewer), events, [*self.game.event_notices(events)]
        shown = self.game.before_clearing(before, action, after)
        cleared = None if shown is after else scene_of(shown, viewer)
        return seen, msgspec.json.encode((told, cleared))

    def check_pictures(self) -> None:
        """The picture of every observation is a well-formed SVG document with unique ids and known symbols."""
        for viewer in self.viewers():
            observation = self.state.observation(viewer)
            self.ensure(bool(str(observation).strip()), "an observation draws no text")
            scene = self.game.scene(observation)
            self.check_shared(scene)
            ids = [piece.id for piece in scene.pieces]
            self.ensure(len(ids) == len(set(ids)), "two pieces of the picture share an id")
            document = ET.fromstring(self.game.svg(observation))
            names = [element.get("id") for element in document.iter() if element.get("id")]
            self.ensure(len(names) == len(set(names)), "two elements of the picture share an id")
            symbols = {f"#{name}" for name in names}
            used = {element.get("href", "") for element in document.iter("{http://www.w3.org/2000/svg}use")}
            self.ensure(used <= symbols, f"the picture uses symbols that the art lacks: {sorted(used - symbols)}")

    def check_shared(self, scene: Scene) -> None:
        """The part of a picture that all viewers share is sent to them once."""
        other: Scene = self.game.scene(self.state.observation(SPECTATOR))
        self.ensure(scene.pieces[: len(scene.shared)] == scene.shared, "shared pieces are not painted first")
        self.ensure(scene.shared == other.shared, "shared pieces depend on the viewer")
        if not self.game.has_hidden_information:
            self.ensure(scene == other, "nothing is hidden, but the picture depends on the viewer")


def _named_bits(layout: Layout) -> list[int]:
    """Return, by word, the bits that a plane or field of the layout names; all of them where it is a number."""
    named = [0] * layout.words
    for place in layout.plane_places:
        if place != OFF_BOARD:
            named[place // WORD] |= 1 << place % WORD
    for field in layout.fields:
        for place in field.places:
            if field.scale:
                named[place] = -1
            else:
                named[place // WORD] |= 1 << place % WORD
    return named


def _check_actions_on_planes(game: Game) -> None:
    """Check that no two actions share a place in the policy head."""
    actions = planes_of(game).action_planes()
    assert len(actions.index) == game.num_distinct_actions(), "action_planes does not place every action"
    assert len(set(actions.index)) == len(actions.index), "action_planes puts two actions in one place"
    assert 0 <= min(actions.index) <= max(actions.index) < actions.size, "action_planes puts an action out of the head"


def _check_wrong_use(game: Game) -> None:
    """Seats out of range and draws after the end are refused with a sentence."""
    state = game.new_initial_state()
    playout(state, Random(1))
    _raises(IllegalMove, partial(state.sample, Random(1)), "sample(rng) after the end")
    for viewer in (-1, game.players, 99, 1 << 70):
        call = f"resample_from_infostate({viewer}, rng)"
        _raises(NoSuchSeat, partial(state.resample_from_infostate, viewer, Random(1)), call, "as check_viewer does")
    for action in (-1, game.num_distinct_actions()):
        _raises(IllegalMove, partial(state.action_to_string, action), f"action_to_string({action})")


def _raises(error: type[LudothequeError], call: Callable[[], object], what: str, how: str = "") -> None:
    try:
        call()
    except error:
        return
    raise AssertionError(f"{what} must raise {error.__name__}{how and f', {how}'}")


def _check_bad_input(game: Game) -> None:
    """Nonsense gets a sentence, never another error."""
    state = game.new_initial_state()
    rng = Random(1)
    while state.is_chance_node():
        state.apply(state.sample(rng))
    for text in ("", " ", "?", "nonsense", "\x00", "9" * 400, "a1 a1 a1", "-1", "é"):
        for read, error in ((state.string_to_action, MoveError), (game.read_position, BadPosition)):
            sentence = _complaint(read, text, error)
            assert sentence.strip(), f"{game!r}: no sentence says what is wrong with {text!r}"


def _complaint(read: Callable[[str], object], text: str, error: type[LudothequeError]) -> str:
    try:
        read(text)
    except error as complaint:
        return str(complaint)
    except Exception as other:
        raise AssertionError(f"{read.__name__}({text!r}) must raise {error.__name__}, not {other!r}") from other
    raise AssertionError(f"{read.__name__}({text!r}) must raise {error.__name__}, and took it")
