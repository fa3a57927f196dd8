"""Web push: messages that a browser shows while no page is open. Needs the extra `push`."""
