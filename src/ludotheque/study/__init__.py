"""Analyse games: benchmarks, arenas, ratings, hints, match summaries and reviews."""
