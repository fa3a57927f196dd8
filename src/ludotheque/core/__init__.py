"""What a game is: the lowest layer, on which all others are built."""
