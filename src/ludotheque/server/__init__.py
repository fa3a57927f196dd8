"""Tables over HTTP and WebSocket: `docs/protocol.md` says what is sent.

Each room has one concern: `config` what can be set, `storage` what is kept on disk, `live_tables` the tables in memory,
`actions` what changes them, `drawing` what one viewer is shown, `bots` who thinks, `sockets`, `api` and `pages` the
doors, `guard` what is refused before any of it.
"""
