"""Words for the same, among which people and the columns of sheets choose differently."""

from collections.abc import Iterable

from memory.text.words import stem

ALIKE = tuple(
    frozenset(map(stem, group.split()))
    for group in (
        # People and what becomes of them.
        "death deaths died die dies dying dead killed fatalities mortality tote toten muertos"
        " morts",
        "birth births born geburt geburten nacimiento nacimientos naissance naissances",
        "marriage marriages married marry wedding weddings heirat heiraten hochzeit hochzeiten"
        " eheschliessung eheschliessungen boda bodas matrimonio matrimonios mariage mariages",
        "divorce divorces divorced split separated scheidung scheidungen geschieden divorcio"
        " divorcios divorciados",
        "murder murders killing killings homicide homicides mord morde asesinato asesinatos"
        " meurtre meurtres",
        "population pop people inhabitants residents einwohner habitantes habitants poblacion",
        "headcount people person persons staff employees workforce personnel mitarbeiter personal"
        " empleados plantilla effectif",
        "sex gender geschlecht sexo sexe",
        "age alter edad",
        "language languages speak speaks speaking spoken sprache sprachen sprechen spricht idioma"
        " idiomas hablan habla langue langues parlent parle",
        # Work.
        "job profession occupation position title beruf stelle trabajo profesion puesto metier"
        " poste",
        "income gdp salary wage wages pay paid earn earns earned earning gehalt verdient sueldo"
        " gana salaire gagne",
        "department departments abteilung abteilungen departamento departement",
        "boss manager managers chef vorgesetzter vorgesetzte jefe responsable",
        # Who sells what to whom, and for how much.
        "amount price cost costs spend spends spent spending expense expenses ausgegeben ausgaben"
        " kosten gasto gastado depense",
        "price prices cost costs fee preis preise kosten kostet precio precios coste cuesta cuestan"
        " prix coute coutent",
        "customer customers client clients kunde kunden cliente clientes",
        "supplier suppliers vendor vendors lieferant lieferanten proveedor proveedores"
        " fournisseur fournisseurs",
        "manufacturer manufacturers mfr maker makers brand brands hersteller fabricante marca"
        " marcas fabricant marque marques",
        "publisher publishers verlag verlage editorial editeur editeurs",
        "author authors writer writers autor autoren autores auteur auteurs",
        "product products item items article articles artikel produkt produkte articulo articulos"
        " producto productos produit produits",
        "invoice invoices bill bills rechnung rechnungen factura facturas facture factures",
        "revenue revenues turnover sales umsatz umsatze ventas",
        "profit profits gewinn gewinne beneficio beneficios benefice benefices",
        "tax taxes vat steuer steuern mwst mehrwertsteuer iva impuesto impuestos tva taxe",
        "due deadline fallig falligkeit vencimiento echeance",
        "stock stocks inventory bestand lagerbestand existencias",
        "number no nr qty quantity amount menge cantidad quantite",
        "kind type sort",
        # Where and when.
        "country countries nation nations land lander pais paises",
        "city cities town towns stadt stadte ciudad ciudades ville villes",
        "address addresses adresse adressen anschrift direccion direcciones adresses",
        "phone telephone telefon telefono",
        "year yr jahr year annee",
        "day days month months date tag tage datum dia dias fecha jour jours",
        # What is measured.
        "weight mass weigh weighs weighing wiegt gewicht peso poids",
        "horsepower hp ps power",
        "magnitude mag",
        "temperature temp degrees degree",
        "mileage mpg",
        "area surface flache superficie",
        "height altura hohe hauteur",
        "speed velocity geschwindigkeit velocidad vitesse",
        "calories kcal kalorien calorias",
        "carbs carbo carbohydrates kohlenhydrate carbohidratos glucides",
        "salt sodium salz natrium sal sodio sel",
    )
)


# For each word, stemmed, those that a sheet may have in its place: "amount" is in two groups.
SAID_FOR = {
    word: frozenset[str]().union(*(group for group in ALIKE if word in group))
    for word in frozenset[str]().union(*ALIKE)
}


def are_alike(word: str, own: str) -> bool:
    """Return whether people say the one where a sheet has the other."""
    return stem(own) in SAID_FOR.get(stem(word), ())


def is_place(word: str) -> bool:
    """Return whether the word says what sort of place something is: a country or a city."""
    return any(are_alike(word, place) for place in ("country", "city"))


def alike(word: str, others: Iterable[str]) -> set[str]:
    """Return those of the words that a sheet may have where people say this one."""
    said = SAID_FOR.get(stem(word), frozenset())
    return {other for other in others if stem(other) in said}
