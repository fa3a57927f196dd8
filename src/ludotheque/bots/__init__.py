"""Bots for every game: one search, five levels, and plain players to measure them by."""
