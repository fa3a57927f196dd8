from ludotheque.core.scene import Scene
from ludotheque.games.cable_car.observe import CableCarObservation


def scene(seen: CableCarObservation) -> Scene:
    raise NotImplementedError


def backdrop() -> str:
    raise NotImplementedError
