"""Tournaments as pure functions: who meets whom in the next round, and who stands where.

Nothing here reads or writes anything, and chance enters once: the order in which the server numbers the players.
"""
