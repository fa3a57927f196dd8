"""The definition of a game: the lowest layer, on which all others are built."""
