"""Bots that are programs: one process per seat, spoken to by JSON lines over its standard input and output."""

from __future__ import annotations

import logging
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final, NoReturn

import msgspec

from ludotheque.bots.protocol import (
    FROM_BOT,
    LINE_BYTES,
    VERSION,
    Did,
    End,
    ErrorReply,
    FromBot,
    Go,
    MoveReply,
    New,
    Quit,
    ReadyReply,
    encode,
)
from ludotheque.core.errors import BotFailed, NoSuchBot
from ludotheque.core.game import Game
from ludotheque.core.phrases import Phrase, phrase, printable, short_repr
from ludotheque.core.turn import SeenPly, Turn

START_SECONDS: Final = 60.0
"""Seconds until a program must be ready: interpreters and weights take long to load on a busy machine."""
_QUIT_SECONDS: Final = 2.0
_CHUNK: Final = 65536
_STDERR_BYTES: Final = 16384
"""Bytes from the end of a program's standard error that are kept for the log."""
_NOT_READING: Final = phrase("The bot does not read its standard input.")
_LOG: Final = logging.getLogger("ludotheque.bots.engine")


def engine_words(command: str) -> list[str]:
    """The words of a command; `NoSuchBot` if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NoSuchBot(f"The command {short_repr(command)} cannot be read: {error}.") from error
    if sys.platform == "win32":
        raise NoSuchBot("Bots that are programs need Linux or macOS.")
    if not words or shutil.which(words[0]) is None:
        program = words[0] if words else ""
        raise NoSuchBot(f"There is no program {short_repr(program)} that can be run; write engine:COMMAND.")
    return words


class EngineProcess:
    """A running program. Each call has a deadline; after a `BotFailed` the process is gone."""

    def __init__(self, name: str, words: Sequence[str], variables: Mapping[str, str] | None = None) -> None:
        """`variables`: of the environment, besides those of this process."""
        self.name: Final = name
        # A new session: Ctrl-C is for us, and the processes that it starts can be ended with it.
        self._process: Final = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, **variables} if variables else None,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._in: Final = self._process.stdin.fileno()
        self._out: Final = self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._readable: Final = _poll(self._out, select.POLLIN)
        self._writable: Final = _poll(self._in, select.POLLOUT)
        self._line = bytearray()
        self._ended = False
        self._stderr: Final = bytearray()
        self._stderr_reader: Final = threading.Thread(target=self._read_stderr, daemon=True)
        self._stderr_reader.start()

    @property
    def has_ended(self) -> bool:
        """Whether it was ended; it may also have ended by itself."""
        return self._ended

    def ask(self, data: bytes, seconds: float, too_late: Phrase) -> FromBot:
        """Send lines and wait for the reply to the last one."""
        self._check_silent()
        deadline = monotonic() + seconds
        self._send(data, deadline, too_late)
        reply = self._decode(self._read_line(deadline, too_late))
        if isinstance(reply, ErrorReply):
            self.fail(phrase("{name} gave up: {message}", name=self.name, message=printable(reply.message[:200])))
        return reply

    def tell(self, data: bytes) -> None:
        """Send lines that need no reply."""
        self._send(data, monotonic() + _QUIT_SECONDS, _NOT_READING)

    def close(self, last: bytes = b"") -> None:
        """Send the last lines, and end the program: kindly at first."""
        if self._ended:
            return
        try:
            self.tell(last + encode(Quit()))
        except BotFailed as error:
            _LOG.info("%s", error)
        else:
            self._end(_QUIT_SECONDS)

    def ends_after(self, last: bytes, seconds: float) -> bool:
        """Send the last lines, or nothing and the end of the input, and return whether the program ends by itself."""
        assert self._process.stdin
        if last:
            self._send(last, monotonic() + seconds, _NOT_READING)
        else:
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        ended = self._process.returncode is not None
        self._end(0.0)
        return ended

    def fail(self, sentence: Phrase) -> NoReturn:
        """End the program, and raise `BotFailed`."""
        self._end(0.0)
        if self._stderr:
            written = self._stderr.decode(errors="replace").rstrip()
            _LOG.warning("%s wrote on standard error:\n%s", self.name, printable(written, "\n\t"))
        raise BotFailed(sentence)

    def _end(self, patience: float) -> None:
        """End the process and all that it started, after waiting a little for it to end by itself."""
        if self._ended:
            return
        self._ended = True
        process = self._process
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        _kill_group(process.pid)
        process.wait()
        self._stderr_reader.join(_QUIT_SECONDS)
        process.stdout.close()
        if not self._stderr_reader.is_alive():
            process.stderr.close()

    def _read_stderr(self) -> None:
        assert self._process.stderr
        while chunk := self._process.stderr.read(_CHUNK):
            self._stderr.extend(chunk)
            del self._stderr[:-_STDERR_BYTES]

    def _check_silent(self) -> None:
        """Fail if the bot wrote something that no one asked for."""
        try:
            self._line += os.read(self._out, _CHUNK)
        except BlockingIOError:
            if not self._line:
                return
        if self._line:
            self.fail(phrase("{name} wrote a line when nothing was asked: {line}.", name=self.name,
                             line=short_repr(bytes(self._line[:200]).decode(errors="replace"))))  # fmt: skip
        self._fail_ended()

    def _send(self, data: bytes, deadline: float, too_late: Phrase) -> None:
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                self._wait(self._writable, deadline, too_late)
            except BrokenPipeError:
                self._fail_ended()

    def _read_line(self, deadline: float, too_late: Phrase) -> bytes:
        line = self._line
        searched = 0
        while (end := line.find(b"\n", searched)) < 0:
            searched = len(line)
            if searched > LINE_BYTES:
                self.fail(phrase("{name} wrote a line of more than {most} bytes.", name=self.name, most=LINE_BYTES))
            self._wait(self._readable, deadline, too_late)
            chunk = os.read(self._out, _CHUNK)
            if not chunk:
                self._fail_ended()
            line += chunk
        found = bytes(line[:end])
        del line[: end + 1]
        return found

    def _wait(self, poll: select.poll, deadline: float, too_late: Phrase) -> None:
        if not poll.poll(max(0.0, 1000 * (deadline - monotonic()))):
            self.fail(too_late)

    def _decode(self, line: bytes) -> FromBot:
        try:
            return FROM_BOT.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            shown = short_repr(line[:200].decode(errors="replace"))
            self.fail(phrase("{name} wrote a line that is not a message ({reason}): {line}.", name=self.name,
                             reason=printable(str(error)[:200]), line=shown))  # fmt: skip

    def _fail_ended(self) -> NoReturn:
        self._end(_QUIT_SECONDS)
        code = self._process.returncode
        if code < 0:
            self.fail(phrase("{name} was ended by signal {number}.", name=self.name, number=-code))
        self.fail(phrase("{name} ended mid-game with exit code {code}.", name=self.name, code=code))


def _poll(fd: int, events: int) -> select.poll:
    poll = select.poll()
    poll.register(fd, events)
    return poll


def _kill_group(leader: int) -> None:
    """End a program and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


class EngineBot:
    """A bot that is a program. It is started at its first move, and again if moves were taken back."""

    def __init__(
        self,
        name: str,
        command: str,
        game: Game,
        seat: int,
        seed: int,
        clock: float,
        variables: Mapping[str, str] | None = None,
        idle: dict[str, list[EngineProcess]] | None = None,
    ) -> None:
        """`idle`: processes by command; one of them is taken, and given back after the end of the game."""
        self.name: Final = name
        self.words: Final = engine_words(command)
        self._command: Final = command
        self._variables: Final = variables
        self._idle: Final = idle
        self._new: Final = New(VERSION, game.name, game.players, game.settings, seat, seed, clock)
        self._process: EngineProcess | None = None
        self._sent: list[SeenPly] = []
        self._wants: frozenset[str] = frozenset()

    def choose(self, turn: Turn) -> int:
        process = self._begun(turn.events)
        lines = [encode(Did(who, action)) for who, action in turn.events[len(self._sent) :]]
        self._sent.extend(turn.events[len(self._sent) :])
        go = Go(
            turn.legal,
            turn.clock,
            turn.observation if "observation" in self._wants else msgspec.UNSET,
            turn.state.position() if "position" in self._wants else msgspec.UNSET,
        )
        late = phrase("{name} did not move within {seconds} s.", name=self.name, seconds=f"{turn.clock:g}")
        reply = process.ask(b"".join([*lines, encode(go)]), turn.clock, late)
        if not isinstance(reply, MoveReply):
            process.fail(phrase("{name} was asked for a move and sent something else.", name=self.name))
        return reply.action

    def end(self, returns: Sequence[float], scores: Sequence[int]) -> None:
        """Tell the program how the game ended, and end it, or keep it for another game."""
        self._stop(encode(End(list(returns), list(scores))))

    def close(self) -> None:
        """End the program, or keep it for another game."""
        self._stop(b"")

    def _stop(self, last: bytes) -> None:
        process, self._process = self._process, None
        if process is None or process.has_ended:
            return
        if self._idle is None:
            process.close(last)
        else:
            process.tell(last)
            self._idle.setdefault(self._command, []).append(process)

    def _begun(self, events: Sequence[SeenPly]) -> EngineProcess:
        """The program, in a game whose beginning it knows as `events` has it."""
        if self._process is not None and self._sent == list(events[: len(self._sent)]):
            return self._process
        if self._process is not None:
            self._prepare(self._process)
        else:
            self._process = self._idle_process()
        if self._process is None:
            self._process = self._start()
            self._prepare(self._process)
        self._sent = []
        return self._process

    def _prepare(self, process: EngineProcess) -> None:
        """Make the program ready for this game."""
        late = phrase("{name} was not ready within {seconds} s.", name=self.name, seconds=f"{START_SECONDS:g}")
        reply = process.ask(encode(self._new), START_SECONDS, late)
        if not isinstance(reply, ReadyReply):
            process.fail(phrase("{name} was asked to get ready, and replied with something else.", name=self.name))
        self._wants = frozenset(reply.wants)

    def _idle_process(self) -> EngineProcess | None:
        """A process that waits for a game, ready for this one. One that failed after its last game changes nothing."""
        waiting = self._idle.get(self._command, []) if self._idle is not None else []
        while waiting:
            process = waiting.pop()
            try:
                self._prepare(process)
            except BotFailed as error:
                _LOG.info("after its last game: %s", error)
            else:
                return process
        return None

    def _start(self) -> EngineProcess:
        try:
            return EngineProcess(self.name, self.words, self._variables)
        except OSError as error:
            sentence = phrase(
                "{name} cannot be started: {reason}.", name=self.name, reason=error.strerror or str(error)
            )
            raise BotFailed(sentence) from error
