"""Train a model of the product: `python -m tests.training rewriting|topics FOLDER`."""

import os
import sys
from importlib import import_module

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    import_module(f"tests.training.{sys.argv.pop(1)}").main()
