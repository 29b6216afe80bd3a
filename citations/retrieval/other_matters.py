"""Other matters: what people ask about that few libraries tell of, the weather or a cake.

By its cosines alone a question of the weather may be as near to a manual as one that the manual
answers in other words; but it is far nearer to the weather. A library that is about one of these
is nearer still.
"""

from functools import cache

from memory.text.embedding import Embedded, EmbeddingError, Vectors, engine_of

# What is told of each in general, by which a question in any language is known.
OTHER_MATTERS = (
    "Weather forecast: rain, sun, wind and temperature today and tomorrow.",
    "Cooking recipes: ingredients, baking, boiling, frying, oven times.",
    "Sports results: football, matches, cups, leagues and players.",
    "Health: pain, illness, medicine, doctors and symptoms.",
    "Travel and holidays: flights, hotels, beaches, sights and tickets.",
    "Jokes, small talk, feelings, being bored or sad, love and friends.",
    "Shopping: what to buy, gifts, prices, shops and opening hours.",
    "Household: cleaning, stains, washing, repairing and furniture.",
    "Pets and animals: dogs, cats, birds, how they live and what they eat.",
    "Gardening: plants, flowers, vegetables, trees, soil and watering.",
    "Geography and science: rivers, mountains, capitals, countries, sky and planets.",
    "Politics and news: president, chancellor, elections and government.",
    "Films, music, books, series, actors and singers.",
    "Money: salary, taxes, banks, loans, insurance and rent.",
    "Cars, trains, buses, traffic, parking and timetables.",
    "Names, birthdays, weddings, family and children.",
    "A system log: errors, warnings, stack traces, kernel and server messages.",
    "Phones, televisions, cameras and which one to buy.",
    "Restaurants, tips, drinks, coffee and beer.",
    "History: wars, kings, inventions and famous people.",
    "Fitness, diet, calories and sleep.",
    "Languages: translating words, how to say something, spelling.",
    "School, exams, homework, mathematics and sums.",
    "Work, jobs, applications, bosses and colleagues.",
)


def near_other_matters(asked: Embedded, model: str) -> float:
    """Return the cosine of a question with the nearest of other matters, over the engine's spread;
    0 if it can't be had.
    """
    engine, vector = engine_of(model), asked.meaning_by(model)
    if engine is None or vector is None:
        return 0.0
    try:
        return float((_vectors(model) @ vector).max()) / engine.spread
    except EmbeddingError:
        return 0.0


@cache
def _vectors(model: str) -> Vectors:
    engine = engine_of(model)
    if engine is None:
        raise EmbeddingError("engine_unavailable")
    return engine.embed(OTHER_MATTERS)
