"""Words for the same, among which people and the columns of sheets choose differently."""

from collections.abc import Iterable

from memory.text.words import stem

ALIKE = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        "death deaths died die dies dying dead killed fatalities tote toten muertos morts",
        "population pop people inhabitants residents einwohner habitantes habitants",
        "headcount people person persons staff employees workforce personnel mitarbeiter personal"
        " empleados plantilla effectif",
        "amount price cost costs spend spends spent spending expense expenses ausgegeben ausgaben"
        " kosten gasto gastado depense",
        "weight mass weigh weighs weighing gewicht peso poids",
        "horsepower hp ps power",
        "price cost costs fee preis kosten precio prix",
        "sex gender geschlecht sexo sexe",
        "magnitude mag",
        "temperature temp degrees degree",
        "income gdp salary wage wages pay paid earn earns earned earning gehalt verdient sueldo"
        " gana salaire gagne",
        "job profession occupation position title beruf stelle trabajo profesion puesto metier"
        " poste",
        "mileage mpg",
        "kind type sort",
        "language languages speak speaks speaking spoken sprache sprachen sprechen spricht idioma"
        " idiomas hablan habla langue langues parlent parle",
        "year yr jahr year annee",
        "number no nr qty quantity amount",
        "day days month months date tag tage datum dia dias fecha jour jours",
    )
)


def are_alike(word: str, own: str) -> bool:
    """Tell whether people say the one where a sheet has the other."""
    return bool(alike(word, [own]))


def alike(word: str, others: Iterable[str]) -> set[str]:
    """Return those of the words that a sheet may have where people say this one."""
    own = stem(word)
    said = frozenset[str]().union(*(group for group in ALIKE if own in group))
    return {other for other in others if stem(other) in said} if said else set()
