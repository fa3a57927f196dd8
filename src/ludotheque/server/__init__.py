"""Tables over HTTP and WebSocket; `docs/protocol.md` describes the protocol.

- `app` joins everything; `run` serves it; the other modules here serve all parts
- `routes`: HTTP and WebSocket endpoints, pages
- `after`: reviews and results of finished games
- `bots`: bots at tables, and the worker processes in which they think
- `tables`: live tables, actions on them, events, views, presence
- `storage`: database, changes, schema, migrations
- `mail`: e-mails and the SMTP server that sends them
- `http`: checks before all routes, rate limits, callers, page templates

A change takes one path: `tables.actions` writes it to `storage`, applies it to the live table, and publishes an event
(`tables.events`). Presence, the bot runner, the result log and the link to other processes subscribe to events.
"""
