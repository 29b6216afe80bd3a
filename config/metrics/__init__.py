"""The product seen from outside: what is counted, and the state of its rows, for Prometheus."""
