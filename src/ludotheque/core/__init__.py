"""What a game is: the floor every other floor stands on."""
