"""How dates are written in English: the day before the month, and no noon to reckon with."""

DATE_FORMAT = "j F Y"
MONTH_DAY_FORMAT = "j F"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i T"
