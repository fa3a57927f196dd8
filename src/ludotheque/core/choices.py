"""The choices of the player to act, a tree of small named steps: the one source for clicks, keys, speech, terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ludotheque.core.game import State
from ludotheque.core.phrases import Phrase, Step


class Choice(Struct, frozen=True, gc=False):
    """A node of the tree: the step that leads here, and either what can follow or the action it completes."""

    step: Step
    children: tuple[Choice, ...] = ()
    action: int | None = None
    next_decision: tuple[Choice, ...] = ()
    """The choices after this action, in the same turn, where they are offered at once (see `Game.asks_ahead`)."""

    def leaves(self) -> Iterator[Choice]:
        """The completed actions below this node."""
        if self.action is not None:
            yield self
        for child in self.children:
            yield from child.leaves()


class _Branch:
    """A node of the tree while it is built."""

    __slots__ = ("action", "children", "next_decision", "step")

    def __init__(self, step: Step) -> None:
        self.step = step
        self.action: int | None = None
        self.children: dict[str, _Branch] = {}
        self.next_decision: tuple[Choice, ...] = ()


def _finished(branches: Iterable[_Branch]) -> tuple[Choice, ...]:
    """These nodes as immutable choices."""
    return tuple(
        [
            Choice(
                branch.step,
                _finished(branch.children.values()) if branch.children else (),
                branch.action,
                branch.next_decision,
            )
            for branch in branches
        ]
    )


def choices(state: State, ahead: bool = False) -> tuple[Choice, ...]:
    """The tree of what the seat to act can do; nothing at a chance node or after the end.

    `ahead`: with the next decisions of its turn where the game asks for them at once.
    """
    if state.current_player() < 0:
        return ()
    root: dict[str, _Branch] = {}
    steps = state.game.steps
    for action in state.legal_actions():
        level = root
        branch: _Branch | None = None
        for step in steps(state, action):
            branch = level.get(step.key)
            if branch is None:
                branch = level[step.key] = _Branch(step)
            level = branch.children
        assert branch is not None, f"action {action} has no steps"
        assert branch.action is None, f"two actions share the steps to {branch.step.key}"
        branch.action = action
        if ahead and state.game.asks_ahead(state, action):
            branch.next_decision = _next_decision(state, action)
    return _finished(root.values())


def _next_decision(state: State, action: int) -> tuple[Choice, ...]:
    """The choices of the same seat after an action; none if its turn is over. What is hidden cannot be tried out."""
    if state.game.has_hidden_information:
        return ()
    after = state.child(action)
    return choices(after, ahead=True) if after.current_player() == state.current_player() else ()


def refusal(state: State, keys: Sequence[str]) -> Phrase | None:
    """Say which rule forbids the seat to act to pick these steps together, the last one after the others; None if a
    legal move has them all. A step replaces an earlier one of its kind: of two cells, the last counts."""
    picks: dict[str, str] = {}
    for key in keys:
        kind, _, value = key.partition(":")
        picks.pop(kind, None)
        picks[kind] = value
    return None if are_legal(state, picks) else state.game.why_not(state, picks)


def are_legal(state: State, picks: Mapping[str, str]) -> bool:
    """Whether a legal move has all these steps, given by kind: `{"cell": "D4"}`."""
    wanted = {f"{kind}:{value}" if value else kind for kind, value in picks.items()}
    steps = state.game.steps
    return any(wanted.issubset(step.key for step in steps(state, action)) for action in state.legal_actions())
