"""What is said back to small talk, in the language that it is in."""

from django.utils.translation import gettext_lazy

from memory.recall.talk.small_talk import SmallTalk

# English is the pages' language, and translated with them.
_IN_ENGLISH = {
    SmallTalk.CLOCK: gettext_lazy(
        "I don’t tell the time: I answer from the documents in the library."
    ),
    SmallTalk.SUM: gettext_lazy(
        "I don’t do sums: I answer from the documents in the library, and reckon only over tables "
        "that stand there."
    ),
    SmallTalk.SPEAKS: gettext_lazy(
        "You can ask in English, German, Spanish or French. What I quote is in the language of its "
        "document."
    ),
    SmallTalk.GREETING: gettext_lazy(
        "Hello! Ask me about the documents in the library: I answer with what they say, and show "
        "where it stands."
    ),
    SmallTalk.THANKS: gettext_lazy("You’re welcome. Ask on whenever you like."),
    SmallTalk.GOODBYE: gettext_lazy("Goodbye! Come back whenever you have a question."),
    SmallTalk.NOD: gettext_lazy("Good. What else would you like to know?"),
    SmallTalk.WHO: gettext_lazy(
        "I am Throughline. I answer questions from the documents in the library, and show the "
        "passage on which each answer stands."
    ),
    SmallTalk.ABLE: gettext_lazy(
        "You can ask what the documents in the library say, what a term means, when, how or why "
        "something is done, and follow up in your own words. Each answer shows the passage on "
        "which it stands."
    ),
}
_ELSEWHERE = {
    "de": {
        SmallTalk.CLOCK: "Die Uhrzeit sage ich nicht: Ich antworte aus den Dokumenten der "
        "Bibliothek.",
        SmallTalk.SUM: "Ich rechne nichts aus: Ich antworte aus den Dokumenten der Bibliothek, und "
        "rechne nur über Tabellen, die dort stehen.",
        SmallTalk.SPEAKS: "Du kannst auf Deutsch, Englisch, Spanisch oder Französisch fragen. Was "
        "ich zitiere, steht in der Sprache seines Dokuments.",
        SmallTalk.GREETING: "Hallo! Frag mich nach den Dokumenten der Bibliothek: Ich antworte mit "
        "dem, was sie sagen, und zeige, wo es steht.",
        SmallTalk.THANKS: "Gern geschehen. Frag weiter, wann immer du magst.",
        SmallTalk.GOODBYE: "Auf Wiedersehen! Komm wieder, wenn du eine Frage hast.",
        SmallTalk.NOD: "Gut. Was möchtest du noch wissen?",
        SmallTalk.WHO: "Ich bin Throughline. Ich beantworte Fragen aus den Dokumenten der "
        "Bibliothek und zeige die Stelle, auf der jede Antwort beruht.",
        SmallTalk.ABLE: "Du kannst fragen, was die Dokumente der Bibliothek sagen, was ein Begriff "
        "bedeutet, wann, wie oder warum etwas geschieht, und in eigenen Worten nachfragen. Jede "
        "Antwort zeigt die Stelle, auf der sie beruht.",
    },
    "es": {
        SmallTalk.CLOCK: "No digo la hora: respondo con los documentos de la biblioteca.",
        SmallTalk.SUM: "No hago cuentas: respondo con los documentos de la biblioteca, y solo "
        "calculo con las tablas que hay en ellos.",
        SmallTalk.SPEAKS: "Puedes preguntar en español, inglés, alemán o francés. Lo que cito está "
        "en el idioma de su documento.",
        SmallTalk.GREETING: "¡Hola! Pregúntame por los documentos de la biblioteca: respondo con "
        "lo que dicen y muestro dónde está.",
        SmallTalk.THANKS: "De nada. Sigue preguntando cuando quieras.",
        SmallTalk.GOODBYE: "¡Hasta luego! Vuelve cuando tengas una pregunta.",
        SmallTalk.NOD: "Bien. ¿Qué más quieres saber?",
        SmallTalk.WHO: "Soy Throughline. Respondo preguntas con los documentos de la biblioteca y "
        "muestro el pasaje en que se basa cada respuesta.",
        SmallTalk.ABLE: "Puedes preguntar qué dicen los documentos de la biblioteca, qué significa "
        "un término, cuándo, cómo o por qué se hace algo, y seguir con tus palabras. Cada "
        "respuesta muestra el pasaje en que se basa.",
    },
    "fr": {
        SmallTalk.CLOCK: "Je ne donne pas l’heure : je réponds à partir des documents de la "
        "bibliothèque.",
        SmallTalk.SUM: "Je ne fais pas de calculs : je réponds à partir des documents de la "
        "bibliothèque, et je ne calcule que sur leurs tableaux.",
        SmallTalk.SPEAKS: "Vous pouvez demander en français, anglais, allemand ou espagnol. Ce que "
        "je cite est dans la langue de son document.",
        SmallTalk.GREETING: "Bonjour ! Interrogez-moi sur les documents de la bibliothèque : je "
        "réponds par ce qu’ils disent, et je montre où cela se trouve.",
        SmallTalk.THANKS: "Avec plaisir. Continuez quand vous voulez.",
        SmallTalk.GOODBYE: "Au revoir ! Revenez quand vous aurez une question.",
        SmallTalk.NOD: "Bien. Que voulez-vous savoir d’autre ?",
        SmallTalk.WHO: "Je suis Throughline. Je réponds aux questions à partir des documents de la "
        "bibliothèque, et je montre le passage sur lequel repose chaque réponse.",
        SmallTalk.ABLE: "Vous pouvez demander ce que disent les documents de la bibliothèque, ce "
        "que signifie un terme, quand, comment ou pourquoi une chose se fait, et poursuivre avec "
        "vos mots. Chaque réponse montre le passage sur lequel elle repose.",
    },
}


def said_back(talk: SmallTalk, language: str) -> str:
    """Return what is said to small talk of the kind, in its language."""
    return _ELSEWHERE.get(language, {}).get(talk) or str(_IN_ENGLISH[talk])
