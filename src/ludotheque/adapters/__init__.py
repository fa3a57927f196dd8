"""Our games in other libraries' own terms: `openspiel` and `pettingzoo`. Each needs the extra of its name."""
