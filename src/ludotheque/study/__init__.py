"""What can be learnt from games and about them: measurements, arenas, reviews."""
