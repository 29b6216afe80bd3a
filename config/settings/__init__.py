"""Every setting of Throughline, read from the environment; .env.example explains each."""

from config.settings.answers import *  # noqa: F403
from config.settings.api import *  # noqa: F403
from config.settings.apps import *  # noqa: F403
from config.settings.display import *  # noqa: F403
from config.settings.machine import *  # noqa: F403
from config.settings.people import *  # noqa: F403
from config.settings.security import *  # noqa: F403
from config.settings.storage import *  # noqa: F403
