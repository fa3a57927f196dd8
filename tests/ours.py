"""The games of this package; toys of other tests may be registered in the same process."""

from ludotheque.core.registry import house_games

OURS = [kind.name for kind in house_games()]
