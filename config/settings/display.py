"""Languages, time, and the look of the admin."""

from django.utils.translation import get_language_info

from config.settings.machine import BASE_DIR, VERSION, env
from config.settings.security import IDLE_MINUTES

LANGUAGE_CODE = env.str("LANGUAGE_CODE", default="en")
LOCALE_PATHS = [BASE_DIR / "locale"]
# Languages with a catalog: others would mix ours with Django's own translations.
LANGUAGES = [("en", "English")] + [
    (code, get_language_info(code)["name_local"].capitalize())
    for code in sorted(catalog.parts[-3] for catalog in BASE_DIR.glob("locale/*/LC_MESSAGES/*.mo"))
]
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = env.time_zone("TIME_ZONE", default="UTC")

UNFOLD = {
    "SITE_TITLE": "Throughline",
    "SITE_HEADER": "Throughline",
    "SITE_SUBHEADER": VERSION,
    "SHOW_HISTORY": False,
    "DASHBOARD_CALLBACK": "memory.admin.dashboard.page.dashboard",
    "SIDEBAR": {"navigation": "memory.admin.dashboard.page.navigation"},
    "STYLES": ["memory.admin.dashboard.page.stylesheet"],
    "SCRIPTS": [
        "memory.admin.dashboard.page.script",
        *(["memory.admin.dashboard.page.idle_script"] if IDLE_MINUTES else []),
    ],
    # Passwords are changed where each guess at the old one is counted.
    "ACCOUNT": {"navigation": "memory.admin.dashboard.page.account_links"},
    # The accent of the other pages, from light to dark.
    "COLORS": {
        "primary": {
            str(shade): f"oklch({lightness}% {chroma} 176)"
            for shade, lightness, chroma in (
                (50, 97, 0.015),
                (100, 93, 0.03),
                (200, 87, 0.05),
                (300, 79, 0.07),
                (400, 70, 0.085),
                (500, 58, 0.09),
                (600, 48, 0.08),
                (700, 41, 0.07),
                (800, 35, 0.055),
                (900, 29, 0.045),
                (950, 21, 0.03),
            )
        }
    },
}
