"""Bots for every game: one search, six levels, and plain bots to compare them with."""
