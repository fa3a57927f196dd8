"""The games: one folder each, with the same rooms in all of them."""
