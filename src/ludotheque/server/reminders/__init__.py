"""Reminders of one's turns, by e-mail and by push messages."""
