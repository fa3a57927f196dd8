"""`python -m ludotheque`: the command line."""

from ludotheque.cli import main

main()
