"""What a person says of themselves, in Spanish; as `statements` does in English."""

from memory.recall.facts.extraction.statements import NUMBER, Row, named, rivals, tool, valued

_SOY = r"(?:yo )?soy"
_DIET = r"(?:vegetarian[oa]|vegan[oa]|pescetarian[oa])"
_JOB = (
    r"(?:enfermer[oa]|abogad[oa]|médic[oa]|ingenier[oa]|profesora?|maestr[oa]|contable|estudiante"
    "|arquitect[oa]|periodista|programadora?|cociner[oa]|econom?ista"
    "|doctora?|notari[oa]|jubilad[oa]|fontaner[oa]|carpinter[oa]|peluquer[oa]|conductora?|albañil"
    r"|psicólog[oa]|diseñadora?|vendedora?|policía|bomber[oa]|secretari[oa]|veterinari[oa]"
    r"|mecánic[oa]|biólog[oa]|químic[oa]|físic[oa]|gerente|panader[oa]|pintora?|músic[oa]|actriz"
    r"|actor|escritora?"
    "|piloto|analista|electricista|dentista|taxista|recepcionista|agricultora?|administrativ[oa]"
    r"|traductora?|investigadora?|jueza?|funcionari[oa]|autónom[oa]|camarer[oa]|farmacéutic[oa])"
)
_RAISED = (
    r"(?:subido|aumentado|elevado|ampliado|incrementado|bajado|reducido|recortado|fijado|cambiado"
    r"|pasado|sube|subió|baja|bajó|aumentó|pasa|pasó)"
)
_OWNED = (
    "(?:jefe|jefa|mujer|marido|pareja|hijo|hija|perro|gato|coche|empresa"
    "|equipo|dirección|correo|teléfono"
    "|cumpleaños|ciudad|país|moneda|médico|casero|universidad|proyecto"
    "|cliente|apellido|salario|sueldo)"
)
KEPT: list[Row] = [
    ("home", r"(?:yo )?(?:vivo|resido|vivimos) en (?P<v>.+)"),
    (
        "home",
        "(?:(?:me|nos) (?:mudé|mudamos|he mudado|hemos mudado|acabo de mudar)|acabo de mudarme"
        "|acabamos de mudarnos) a (?P<v>.+)",
    ),
    ("origin", rf"{_SOY} de (?P<v>(?-i:[A-ZÁÉÍÓÚÑ]).+)"),
    ("job", r"estoy (?P<v>jubilad[oa]|en paro|desemplead[oa])\b"),
    (
        "marital",
        rf"(?:estoy|{_SOY}) (?P<v>casad[oa]|solter[oa]|divorciad[oa]|viud[oa]|separad[oa])\b",
    ),
    (valued("speaks"), r"hablo (?!de\b|con\b|en\b|por\b|del\b|sobre\b)(?P<v>[^\W\d_]+)"),
    ("work:place", r"(?:yo )?trabajo en (?P<v>.+)"),
    ("employer", r"(?:yo )?trabajo (?:para|con) (?P<v>.+)"),
    ("job", rf"{_SOY} (?:una? )?(?P<v>{_JOB})\b"),
    ("job", r"(?:yo )?trabajo (?:de|como) (?P<v>.+)"),
    ("diet", rf"(?:{_SOY}|me (?:hice|he hecho|volví)) (?P<v>{_DIET})\b"),
    (
        valued("allergy"),
        f"(?:{_SOY} alérgic[oa]|tengo alergia) (?:a las|a los|a la|al|a) (?P<v>.+)",
    ),
    ("name", r"me llamo (?P<v>[^\W\d_]+(?: [^\W\d_]+){0,2})$"),
    ("name", r"mi nombre es (?P<v>[^\W\d_]+(?: [^\W\d_]+){0,2})$"),
    ("age", r"tengo (?P<v>\d{1,3}) años"),
    (
        "budget",
        "(?:mi|nuestro|el) presupuesto (?:es|ahora es|será)(?: de| ahora)?(?:"
        rf" unos)? (?P<v>{NUMBER}.*|\w+ mil.*)",
    ),
    (
        "budget",
        rf"(?:mi|nuestro|el) presupuesto (?:ha |se ha |ahora )?(?:sido )?{_RAISED}"
        rf"(?: de [\w., ]{{1,30}}?)? (?:a|en) (?P<v>{NUMBER}.*)",
    ),
    (
        "budget",
        rf"(?:he|hemos) {_RAISED} (?:mi|nuestro|el) presupuesto(?: de [\w., ]{{1,30}}?)? (?:a|en"
        rf"|hasta) (?P<v>{NUMBER}.*)",
    ),
    (
        "budget",
        r"(?:ahora )?(?:tengo|tenemos)(?: ahora)? un (?:nuevo )?presupuesto de(?: unos)? (?P<v>.+)",
    ),
    ("budget", rf"(?:nuevo )?presupuesto:? (?P<v>{NUMBER}.*)"),
    ("deadline", r"(?:mi|nuestro|el) plazo (?:es|termina|acaba)(?: el)? (?P<v>\d.+)"),
    ("kids", r"tengo (?P<v>(?:\d+|un|una|dos|tres|cuatro|cinco) (?:hij[oa]s?|niñ[oa]s?))\b"),
    (
        valued("uses", tool),
        r"(?:nosotros )?(?:usamos|utilizamos|uso|utilizo) (?!el\b|la\b|los\b"
        r"|las\b|un\b|una\b|est|es[eo])(?P<v>.+)",
    ),
    (
        rivals,
        r"(?:yo )?prefiero (?:el |la |los |las )?(?P<v>[\w ]+?) (?:al|a"
        " la|a los|a las|antes que) (?P<w>.+)",
    ),
    (
        valued("likes"),
        "(?:a mí )?(?:no )?me (?:gustan?|encantan?) (?:mucho )?(?:el |la"
        r" |los |las )?(?!es[aeo]\b|est[aeo]\b)(?P<v>.+)",
    ),
    (valued("likes"), r"(?:odio|detesto|prefiero) (?:el |la |los |las )?(?P<v>.+)"),
    (named("favourite"), r"mi (?P<s>\w+) favorit[oa] es (?:el |la )?(?P<v>.+)"),
    (
        named("my"),
        rf"(?:mi|nuestr[oa]) (?P<s>{_OWNED}) (?:es|se llama) (?!un problema|de\b|muy\b)(?P<v>.+)",
    ),
]
ENDED: list[Row] = [
    ("home", r"(?:ya )?no (?:vivo|resido) en (?P<v>.+)"),
    ("work:place", r"(?:ya )?no trabajo en (?P<v>.+)"),
    ("employer", r"(?:ya )?no trabajo (?:para|con) (?P<v>.+)"),
    ("diet", rf"(?:ya )?no soy (?P<v>{_DIET})\b"),
    ("budget", r"(?:mi|nuestro|el) presupuesto ya no es(?: de)? (?P<v>.+)"),
    (valued("uses", tool), r"ya no (?:usamos|uso|utilizamos) (?P<v>.+)"),
]
