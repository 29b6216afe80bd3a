"""Metrics for Prometheus: counters, and gauges read from the database."""
