"""Around Django: connections, bodies and the time of an answer, each with a bound."""
