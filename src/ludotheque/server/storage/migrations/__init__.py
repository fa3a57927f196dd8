"""Migrations of older databases; the server runs them when it starts."""
