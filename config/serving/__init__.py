"""Around Django: request bodies, questions at once and the time of an answer, each with a bound."""
