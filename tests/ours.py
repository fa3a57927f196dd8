"""The games of this package; toys of other tests may be registered in the same process."""

from ludotheque import game_class, game_names

OURS = [name for name in game_names() if game_class(name).__module__.startswith("ludotheque.")]
