"""The picture of a game of Chicago Express."""

from ludotheque.core.scene import Scene
from ludotheque.core.words import say
from ludotheque.games.chicago_express.observe import ChicagoExpressObservation


def scene(seen: ChicagoExpressObservation) -> Scene:
    return Scene(title=say("Chicago Express"), width=10, height=10, pieces=())


def backdrop() -> str:
    return ""
