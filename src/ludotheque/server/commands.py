"""Everything that a client sends, over HTTP or a socket: each is declared here, once, and nowhere else.

Every field is bounded, and unknown fields are refused. What the server answers is declared beside what makes it.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from ludotheque.core.phrases import phrase
from ludotheque.server.errors import Refused
from ludotheque.table.clock import ClockRule

MESSAGE_BYTES: Final = 16_384
"""The most bytes of a message over a socket."""
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
Viewer = Annotated[int, Meta(ge=-5, le=63)]
"""A seat, or -5 for a spectator."""
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Action = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Picks = Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(min_length=1, max_length=16)]
"""Steps of choices, the last one picked last."""
MoveText = Annotated[str, Meta(min_length=1, max_length=500)]
ChatText = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S")]
Name = Annotated[str, Meta(max_length=40)]
LevelName = Annotated[str, Meta(max_length=40)]
Secret = Annotated[str, Meta(min_length=1, max_length=100)]
Password = Annotated[str, Meta(min_length=1, max_length=100)]
Commitment = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?(?!\n)$", max_length=64)]
"""The SHA-256 of a nonce for the dice, in hexadecimal; empty for none. By itself `$` would allow a line break."""
Hexadecimal = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes: a nonce, or a commitment that must not be empty."""
ProfileId = Annotated[str, Meta(max_length=32)]
Seconds = Annotated[float, Meta(ge=0, le=10)]
ShortText = Annotated[str, Meta(max_length=64)]
Options = Annotated[dict[Annotated[str, Meta(max_length=64)], Any], Meta(max_length=64)]
MessageId = Annotated[int, Meta(ge=0, le=2**53)] | None
"""A number that the client chooses; the reply repeats it as `reply_to`."""
MOST_SECONDS: Final = 5.0
"""Most seconds to think about one decision of a review."""


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request of a client to a table."""


class SeatCommand(Command, frozen=True, kw_only=True):
    """A command that names a seat."""

    seat: SeatNumber


# Open a table.


class NewSeat(Command, frozen=True, kw_only=True):
    """The player wanted at a seat."""

    who: Literal["me", "link", "open", "bot"]
    name: Name = ""
    level: LevelName = ""
    """The bot's level."""
    commitment: Commitment = ""
    """For `me`: the commitment to the nonce that this browser adds to the dice."""
    profile: ProfileId = ""
    """For `link`: someone with a profile who is challenged to sit there."""


class NewTable(Command, frozen=True, kw_only=True):
    """A table to set up."""

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[NewSeat], Meta(min_length=1, max_length=64)]
    options: Options = field(default_factory=dict)
    watch: bool = True
    """Whether to make a spectator link."""
    watchable: bool = False
    """Whether everyone may watch, and the home page lists the game."""
    pace: Seconds | None = None
    hints: bool = False
    """Whether bots may advise people who play against people."""
    clock: ClockRule | None = None
    rated: bool = False
    """Whether the result shall change ratings: each person has a profile, there is a clock, and no hints; one person
    may play against bots whose rating is known."""
    shared_dice: bool = False
    """Whether the dice wait for the nonces of those who sit down."""


class NewRecord(Command, frozen=True, kw_only=True):
    """A record to open as a table."""

    record: Annotated[str, Meta(min_length=1)]
    """Its length is limited by `RECORD_LENGTH`."""


class Branch(Command, frozen=True, kw_only=True):
    """A position to play on from, against bots."""

    ply: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    seat: Viewer
    """The seat to play; -5 to watch the bots."""
    level: LevelName
    line: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The ply of a decision: the position is one of its better line, at ply `ply` of it. 0: it is one of the game."""


class Rematch(Command, frozen=True, kw_only=True):
    """Ask the others to play again, or agree."""

    shared_dice: bool = False
    """Whether the browsers of the people add to the dice."""
    now: bool = False
    """Whether to open the table before all have agreed; its clock waits for them."""


class RefuseRematch(Command, frozen=True, kw_only=True):
    """Refuse to play again, or withdraw one's request."""


# Come to a table and leave it.


class LookAtInvitation(Command, frozen=True, kw_only=True):
    """Ask what a link opens before joining."""

    secret: Secret


class Join(Command, frozen=True, kw_only=True):
    """Take the seat of a link, or another free one."""

    secret: Secret
    seat: SeatNumber | None = None
    """The free seat that the newcomer wants; if None, that of the link. By the table's link they get the next one if
    someone was quicker."""
    name: Name = ""
    commitment: Commitment = ""
    password: Annotated[str, Meta(max_length=100)] = ""
    watch: bool = False
    """Only watch: the seat stays free, and the link still opens it."""


class Decline(Command, frozen=True, kw_only=True):
    """Refuse an invitation; its link still opens the seat."""

    secret: Secret


class Sit(Command, frozen=True, kw_only=True):
    seat: SeatNumber
    name: Name = ""
    commitment: Commitment = ""


class Enter(Command, frozen=True, kw_only=True):
    password: Password


class NewLink(Command, frozen=True, kw_only=True):
    seat: Viewer | None
    """None: the link for several friends, each of whom takes a free seat; for the host."""
    replace: bool = False
    """Whether it takes the place of all keys to the seat; for the host."""


class EndSpectatorLinks(Command, frozen=True, kw_only=True):
    pass


class Leave(Command, frozen=True, kw_only=True):
    pass


# Play.


class Move(SeatCommand, frozen=True, kw_only=True):
    """Play a move."""

    version: Version
    action: Action | None = None
    then: Annotated[tuple[Action, ...], Meta(max_length=63)] = ()
    """Further decisions of the same turn: all are played, or none."""
    text: MoveText | None = None

    @property
    def move(self) -> str | tuple[int, ...]:
        """The actions or the text, of which exactly one must be given."""
        if self.action is not None and self.text is None:
            return self.action, *self.then
        if self.text is not None and self.action is None:
            return self.text
        raise Refused(400, "malformed", phrase("A move is either an action or a text."))


class Undo(SeatCommand, frozen=True, kw_only=True):
    """Take back the latest move of a seat, or ask the others."""

    version: Version


class UndoAnswer(SeatCommand, frozen=True, kw_only=True):
    """Agree to what someone wants to take back, or refuse."""

    version: Version
    agree: bool


class Resign(SeatCommand, frozen=True, kw_only=True):
    """Give up a seat: the other player wins, or a bot plays on."""


class OfferEnd(Command, frozen=True, kw_only=True):
    """Ask the others to end the game without a winner."""


class AnswerEndOffer(Command, frozen=True, kw_only=True):
    """Agree to end the game without a winner, refuse, or withdraw one's offer."""

    agree: bool


class SetPremove(SeatCommand, frozen=True, kw_only=True):
    """Decide ahead of one's turn."""

    situation: Annotated[str, Meta(max_length=100)]
    """The situation that the client saw."""
    key: Annotated[str, Meta(max_length=40)] = ""
    """Empty: decide nothing after all."""
    amount: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0


class Chat(Command, frozen=True, kw_only=True):
    """Say something at the table: a text, or a ready phrase."""

    text: ChatText = ""
    ready: Annotated[str, Meta(max_length=40)] = ""
    """The key of a ready phrase, which each reader reads in their own language."""


class HintRequest(SeatCommand, frozen=True, kw_only=True):
    version: Version
    thorough: bool = False
    """Whether to search for longer, to improve the first hint for the same position."""


class Rename(SeatCommand, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=40)]


class SetPace(Command, frozen=True, kw_only=True):
    seconds: Seconds = 1.0
    paused: bool = False


class ReplaceBot(SeatCommand, frozen=True, kw_only=True):
    """The successor of a bot."""

    level: LevelName = ""
    """The level or name of another bot; if empty, a person, who has to sit down."""


class Substitute(SeatCommand, frozen=True, kw_only=True):
    """The player for a person who has left or whose time is up."""

    level: LevelName = ""
    """The level or name of a bot; if empty, the person again."""


# Add to the dice.


class Commit(SeatCommand, frozen=True, kw_only=True):
    """The commitment to the nonce of someone who is seated already."""

    commitment: Hexadecimal


class Reveal(SeatCommand, frozen=True, kw_only=True):
    """The nonce that a seat committed to."""

    nonce: Hexadecimal


class Start(Command, frozen=True, kw_only=True):
    pass


# Moderate.


class SeatToFree(SeatCommand, frozen=True, kw_only=True):
    pass


class Mute(SeatCommand, frozen=True, kw_only=True):
    seat: Viewer
    muted: bool = True


class SetPassword(Command, frozen=True, kw_only=True):
    password: Annotated[str, Meta(max_length=100)]
    """Empty: none."""


class SetWatchable(Command, frozen=True, kw_only=True):
    """Let everyone watch, or only those with a link."""

    watchable: bool


class Close(Command, frozen=True, kw_only=True):
    pass


class OperatorSettings(Command, frozen=True, kw_only=True):
    """The settings that the operator changes while the server runs."""

    public_list: bool
    """Whether tables with an open seat are listed for all visitors."""


# After the game, and beside it.


class ReviewRequest(Command, frozen=True, kw_only=True):
    """The bot's effort for each decision: in simulations, or in seconds."""

    simulations: Annotated[int, Meta(ge=0, le=20_000)] = 0
    seconds: Annotated[float, Meta(ge=0, le=MOST_SECONDS)] = 0.0
    bot: LevelName = ""
    """The operator's custom bot that proposes better moves; empty if search proposes them too."""


class LessonPlace(Command, frozen=True, kw_only=True):
    """A learner's place in a lesson, and what they try now."""

    step: Annotated[int, Meta(ge=0, le=99)] = 0
    actions: Annotated[tuple[Action, ...], Meta(max_length=200)] = ()
    """The accepted actions so far."""
    action: Action | None = None


class PuzzleTry(Command, frozen=True, kw_only=True):
    """A move that someone tries."""

    action: Action


class PuzzleAnswerTry(PuzzleTry, frozen=True, kw_only=True):
    """A move that someone takes for the best."""

    rated: bool = False
    """Whether it counts for the rating of the caller's profile, if it is their first such try of the puzzle."""


PuzzleId = Annotated[str, Meta(max_length=16)]


class BrowserSolving(Command, frozen=True, kw_only=True):
    """A browser's memory of its puzzles, to join its profile."""

    tries: Annotated[dict[PuzzleId, bool], Meta(max_length=2000)] = field(default_factory=dict)
    """Puzzles by id, and whether the first try solved them; the oldest first."""
    solved: Annotated[tuple[PuzzleId, ...], Meta(max_length=2000)] = ()
    """Puzzles that were solved at any try."""
    days: Annotated[tuple[date, ...], Meta(max_length=2000)] = ()
    """Days on which that day's puzzle was solved."""


class LessonPicks(LessonPlace, frozen=True, kw_only=True):
    """A learner's place in a lesson, and the steps that they picked."""

    picks: Picks


class PuzzlePicks(Command, frozen=True, kw_only=True):
    """The steps that someone picked."""

    picks: Picks


class NewRecovery(Command, frozen=True, kw_only=True):
    """Ask for a recovery link."""

    stored: Annotated[
        dict[Annotated[str, Meta(max_length=100)], Annotated[str, Meta(max_length=20_000)]], Meta(max_length=200)
    ] = field(default_factory=dict)
    """The browser's local storage: progress and settings."""


class UseRecovery(Command, frozen=True, kw_only=True):
    """Use a recovery link."""

    secret: Secret


class SetProfile(Command, frozen=True, kw_only=True):
    """One's name, and who may see it; the first one makes a profile."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    visible_to: Literal["me", "met", "all"] = "met"


class ProfileSecret(Command, frozen=True, kw_only=True):
    """Look at the profile that a link carries."""

    secret: Secret


class UseProfileLink(ProfileSecret, frozen=True, kw_only=True):
    """Continue as that person in this browser."""

    merge: bool = False
    """Whether the seats that this browser holds shall join those of the profile."""


class ProfileCommand(Command, frozen=True, kw_only=True):
    """Something to do with one's profile, or with one's wishes, that needs no more words."""


class Restrict(Command, frozen=True, kw_only=True):
    """The restrictions on another person, in place of those set before."""

    muted: bool = False
    """Whether to hide their chat."""
    blocked: bool = False
    """Whether to keep apart: they cannot challenge one, are never paired with one, and see no open table of one's."""


class AcceptChallenge(Command, frozen=True, kw_only=True):
    """Take the seat that one is invited to."""

    commitment: Commitment = ""


class PairMe(Command, frozen=True, kw_only=True):
    """Wishes of someone who wants to play: any of these games, with any of these numbers of players and clocks.

    A variant is named behind its game: `cable-car/companies`.
    """

    games: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(min_length=1, max_length=40)]
    players: Annotated[list[Annotated[int, Meta(ge=2, le=64)]], Meta(min_length=1, max_length=10)]
    clocks: Annotated[list[Annotated[str, Meta(max_length=32)]], Meta(min_length=1, max_length=10)]
    rated: bool = False
    """Whether the result shall change ratings; for those who have a profile, with a clock."""
    name: Name = ""


class NewTournament(Command, frozen=True, kw_only=True):
    """A tournament to create."""

    title: Annotated[str, Meta(min_length=1, max_length=40)]
    game: Annotated[str, Meta(max_length=64)]
    system: Literal["round-robin", "swiss", "knockout", "groups"]
    seats: Annotated[int, Meta(ge=2, le=6)] = 2
    """Seats of a table; more than two in groups."""
    rounds: Annotated[int, Meta(ge=1, le=15)] = 5
    """For Swiss tournaments and groups."""
    clock: Annotated[str, Meta(max_length=32)]
    hours: Annotated[int, Meta(ge=1, le=24 * 90)]
    """The hours after which the games of a round are decided."""
    options: Annotated[dict[Annotated[str, Meta(max_length=64)], bool | int | ShortText], Meta(max_length=64)] = field(
        default_factory=dict
    )
    """Options of the game; no boards or card sets."""
    rated: bool = False
    plays: bool = True
    """Whether the organiser plays too."""
    club: Annotated[str, Meta(max_length=32)] = ""
    """The club whose members may see and join it."""


class TournamentCommand(Command, frozen=True, kw_only=True):
    """Something to do with a tournament that needs no more words."""


class Forfeit(Command, frozen=True, kw_only=True):
    """Decide a game of the present round: a player has lost it."""

    table: Annotated[int, Meta(ge=1, le=64)]
    """The number of the table in the round."""
    player: Annotated[int, Meta(ge=1, le=64)]
    """The number of the player."""


class WatchTournamentTable(Command, frozen=True, kw_only=True):
    """Watch a game of a tournament."""

    table: Annotated[str, Meta(max_length=32)]


class NewClub(Command, frozen=True, kw_only=True):
    """A club to found."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]


class ClubCommand(Command, frozen=True, kw_only=True):
    """Something to do with a club that needs no more words."""


class RemoveMember(Command, frozen=True, kw_only=True):
    """Let someone be a member no more."""

    profile: Annotated[str, Meta(max_length=32)]


class Report(Command, frozen=True, kw_only=True):
    """Words to the operator."""

    text: ChatText


class ReportLine(Command, frozen=True, kw_only=True):
    """Report a line of chat to the operator."""

    line: Annotated[int, Meta(ge=1, le=2**31 - 1)]


class ReportName(Command, frozen=True, kw_only=True):
    """Report a name to the operator, as one has read it."""

    name: Annotated[str, Meta(min_length=1, max_length=64)]


class ReportCommand(Command, frozen=True, kw_only=True):
    """Something to do with a report that needs no more words."""


class GiveAddress(Command, frozen=True, kw_only=True):
    """The address for reminders of one's turns."""

    address: Annotated[str, Meta(max_length=254)]
    """Empty: nowhere."""


class ConfirmReminder(Command, frozen=True, kw_only=True):
    token: Secret


class AddPasskey(Command, frozen=True, kw_only=True):
    """A passkey that a browser has made, in base64url as WebAuthn has it."""

    client_data: Annotated[str, Meta(min_length=1, max_length=4000)]
    attestation: Annotated[str, Meta(min_length=1, max_length=16_000)]


class UsePasskey(Command, frozen=True, kw_only=True):
    """The signature of a passkey, in base64url as WebAuthn has it."""

    id: Annotated[str, Meta(min_length=1, max_length=1400)]
    client_data: Annotated[str, Meta(min_length=1, max_length=4000)]
    authenticator_data: Annotated[str, Meta(min_length=1, max_length=4000)]
    signature: Annotated[str, Meta(min_length=1, max_length=4000)]
    handle: Annotated[str, Meta(min_length=1, max_length=100)]
    merge: bool = False
    """Whether the seats that this browser holds shall join those of the profile."""


class RemovePasskey(Command, frozen=True, kw_only=True):
    id: Hexadecimal


class EndPush(Command, frozen=True, kw_only=True):
    """End the push messages to a browser."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    """The address that the browser's push service gave it."""


class StartPush(EndPush, frozen=True, kw_only=True):
    """Send push messages to a browser, as its `PushSubscription` says."""

    p256dh: Annotated[str, Meta(min_length=1, max_length=100)]
    """The key that encrypts them, in base64url."""
    auth: Annotated[str, Meta(min_length=1, max_length=40)]
    """The secret that goes into their encryption, in base64url."""


# Over a socket.


class MoveMessage(Move, frozen=True, kw_only=True, tag="move"):
    id: MessageId = None


class UndoMessage(Undo, frozen=True, kw_only=True, tag="undo"):
    id: MessageId = None


class UndoAnswerMessage(UndoAnswer, frozen=True, kw_only=True, tag="undo_answer"):
    id: MessageId = None


class ResignMessage(Resign, frozen=True, kw_only=True, tag="resign"):
    id: MessageId = None


class OfferEndMessage(OfferEnd, frozen=True, kw_only=True, tag="offer_end"):
    id: MessageId = None


class AnswerEndOfferMessage(AnswerEndOffer, frozen=True, kw_only=True, tag="answer_end_offer"):
    id: MessageId = None


class ChatMessage(Chat, frozen=True, kw_only=True, tag="chat"):
    id: MessageId = None


class LookMessage(Command, frozen=True, kw_only=True, tag="look"):
    """Look at the table from another of one's seats."""

    id: MessageId = None
    seat: Viewer


class RefreshMessage(Command, frozen=True, kw_only=True, tag="refresh"):
    """Send the whole view again."""

    id: MessageId = None


class PingMessage(Command, frozen=True, kw_only=True, tag="ping"):
    id: MessageId = None


FromClient = (
    MoveMessage
    | UndoMessage
    | UndoAnswerMessage
    | ResignMessage
    | OfferEndMessage
    | AnswerEndOfferMessage
    | ChatMessage
    | LookMessage
    | RefreshMessage
    | PingMessage
)
DECODER: Final = msgspec.json.Decoder(FromClient)
