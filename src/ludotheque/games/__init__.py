"""The games: one folder for each, with the same modules."""
