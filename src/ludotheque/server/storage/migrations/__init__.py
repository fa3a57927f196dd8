"""How older databases come to the present shape; run by the server itself whenever it starts."""
