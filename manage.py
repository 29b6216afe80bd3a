#!/usr/bin/env python
"""Run a management command."""

import os
import sys

from django.core.management import execute_from_command_line

from memory.postgresql import scope

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    scope.begin_installation(scope.Purpose.COMMAND)
    execute_from_command_line(sys.argv)
