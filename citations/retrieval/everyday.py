"""Everyday words: what people type for what documents say otherwise, in four languages.

Who wants their money back names no "refund". What such a question is about is known by the words
that are typed for it, and what answers it by those that documents have.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from citations.index import index_terms
from memory.text.words import words

# Words of a text that are looked at: more than a question has, or what is quoted of a passage.
MOST_READ = 400


@dataclass(frozen=True)
class EverydayMatter:
    """Something that is asked about in some words, and told in others."""

    asked: re.Pattern[str]
    said: re.Pattern[str]


def matter(asked: str, said: str) -> EverydayMatter:
    """Return a matter by the words that are typed for it, and by those that documents have; a star
    stands for the rest of a word.

    Both are in small letters, without accents, with one space between words.
    """
    return EverydayMatter(_any_of(asked), _any_of(said))


def _any_of(wordings: str) -> re.Pattern[str]:
    each = (wording.strip().replace("*", r"\w*") for wording in wordings.split(","))
    return re.compile(rf"\b(?:{'|'.join(each)})\b")


MATTERS: tuple[EverydayMatter, ...] = (
    matter(
        "money back, refund*, reimburs*, geld zuruck, ruckerstatt*, devuelv*, el dinero, reembols*,"
        " rembours*",
        "refund*, reimburs*, repay*, money back, ruckerstatt*, erstatt*, reembols*, devoluc*,"
        " devolv*, rembours*",
    ),
    matter(
        "costs?, price*, pricey, pay, pays, paid, paying, expensive, kosten, kostet, preis*, teuer,"
        " zahlen, bezahl*, cuesta*, precio*, pagar, pago, coute*, prix, payer, paye",
        "fees?, charge[sd]?, price*, pricing, costs?, pay, pays, payable, paid, payments?,"
        " invoice*,"
        " gebuhr*, preis*, kosten, kostet, bezahl*, zahlung*, tarifas?, precios?, importe, pago*,"
        " prix, tarifs?, frais, paiement*, cout*",
    ),
    matter(
        "bills?, rechnung*, facturas?, factures?",
        "invoice*, bills?, billing, rechnung*, factura*, facture*",
    ),
    matter(
        "late, zu spat, verspat*, tarde, retard",
        "late, overdue, due date, arrears, interest, verspat*, verzug, mora, retard*",
    ),
    matter(
        "get* out of, ends, runs? out, endet, cancel*, quit*, leav*, stop using, resign*, give up,"
        " kundig*, wieder raus, aussteig*, austret*, verlass*, cancelar, darme de baja, dejarlo,"
        " resilier, quitter",
        "terminat*, cancel*, withdraw*, expir*, resign*, retir*, leav*, kundig*, beend*, widerruf*,"
        " verlass*, zuruckzieh*, ausscheid*, austritt*, rescis*, baja, resili*, annul*, quitter",
    ),
    matter(
        "start* over, from scratch, begin again, reset, von vorn*, neu anfang*, zurucksetz*,"
        " empezar de nuevo, de cero, recommencer, repartir de zero",
        "reset*, restor*, factory, reinstall*, zurucksetz*, restablec*, reinici*, reinitialis*",
    ),
    matter(
        "turn* off, turn* it off, switch* off, switch* it off, disable*, mute*, silence,"
        " ausschalt*,"
        " abschalt*, ausmach*, apag*, desactiv*, quito, quitar, eteindre, couper",
        "disabl*, deactivat*, turn* off, switch* off, mut(?:e|ed|es|ing), suppress*, deaktiv*,"
        " abschalt*, ausschalt*, desactiv*, inhabilit*",
    ),
    matter(
        "turn* on, turn* it on, switch* on, enable*, einschalt*, anschalt*, encender, activar,"
        " activer, allumer",
        "enabl*, activat*, turn* on, switch* on, aktivier*, einschalt*, activ(?:ar|e|er|ez),"
        " habilit*",
    ),
    matter(
        "get* rid of, throw* away, throw * away, delet*, remov*, uninstall*, wegwerf*, losch*,"
        " entfern*, loswerd*, borr*, elimin*, supprim*, effac*, enlev*, debarrasser",
        "remov*, delet*, uninstall*, purg*, eras(?:e|ed|es|ing), destroy*, discard*, losch*,"
        " entfern*, deinstall*, elimin*, borr*, desinstal*, supprim*, effac*",
    ),
    matter(
        "undo*, go* back, come* back, put back, get back, take back, way back, ruckgangig, zuruck,"
        " deshac*, volver, revenir, annuler, retour",
        "undo*, revert*, restor*, revers*, irrevers*, recover*, return*, reactivat*, ruckgang*,"
        " wiederherstell*, reaktiv*, zuruck*, umgekehrt*, deshac*, restaur*, annul*, retabl*,"
        " inverse",
    ),
    matter(
        "who* (?:do|can|should) i (?:ask|write|write to|email|call|tell), stuck, get help, hilfe,"
        " wen frag*, ansprechpartner*, ayuda, le pregunto, me atasco, aide, a qui, contact*",
        "contact*, mailing lists?, forums?, help, kontakt*, hilfe, wenden sie, mailinglisten?,"
        " ayuda, lista de correo, aide, liste de diffusion",
    ),
    matter(
        "in charge, responsible, boss, runs the, looks after, head of, chef*, zustandig*,"
        " verantwortlich*, kummert sich, encargad*, jefe, responsable, s occupe",
        "maintain*, chair*, leader*, leads, led by, manages, managed by, administrat*, responsib*,"
        " officers?, president*, director, directors, betreut*, betreuer*, leiter*, leitet,"
        " vorsitz*, zustandig*, verantwort*, secretar*, responsable*, mainten(?:u|eur)*, mantien*",
    ),
    matter(
        "try it, try out, try * out, try * * out, trial, for nothing, play with, ausprobier*,"
        " gratis testen, probar, prueba, essayer, essai",
        "trial*, evaluat*, demo, prueba, essai, testversion, probezeit",
    ),
    matter(
        "resell*, sell, selling, give away, pass * on, pass on, hand on, transfer*, weitergeb*,"
        " weiterverkauf*,"
        " verkauf*, revend*, vender, vendre",
        "redistribut*, distribut*, sub ?licen*, transfer*, assign(?:ed|able)?, convey*, resell*,"
        " resale, shar(?:e|es|ed|ing), disclos*,"
        " weitergab*, weitergeb*, ubertrag*, vertreib*, distribu*, ceder",
    ),
    matter(
        "spy*, spies, snoop*, track*, collect*, know about me, watch* me, ausspion*, sammel*,"
        " espia*, recopil*, espionn*",
        "collect*, reports?, reported, sends?, transmit*, personal data, privacy, statistic*,"
        " telemetr*, erfass*, ubermittel*, personenbezogen*, recopil*, datos personales, donnees",
    ),
    matter(
        "sniff*, listen in, intercept*, mithor*, abhor*, abfang*, escuchar",
        "eavesdrop*, intercept*, encrypt*, verschlussel*, cifrad*, chiffr*",
    ),
    matter(
        "secret*, hide, hidden, private, passwords?, geheim*, versteck*, passwort*, secreto*,"
        " ocultar, contrasena*, cacher, mot de passe",
        "privat*, confidential*, encrypt*, passwords?, protect*, hidden, vertraulich*,"
        " verschlussel*, confidenc*, cifrad*, protegid*, chiffr*, confidentiel*, prive*",
    ),
    matter(
        "broken, (?:doesn t|does not|don t|won t|not|stopped) work*, doesnt work*, breaks, crash*,"
        " goes wrong, messed up, kaputt, (?:funktioniert|geht) nicht, no funciona, falla*,"
        " ne marche pas, plante",
        "bugs?, errors?, fail*, faults?, defect*, malfunction*, issues?, limitations?, unsupported,"
        " not supported, problems?, fehler*, fallo*, erreur*, bogues?, panne, incompatib*",
    ),
    matter(
        "kept, for ever, forever, keep my, keep our, keep it, hang on to, aufbewahr*, aufgehoben,"
        " gespeichert, guardan, guardado*, conserv*, gardez, gardent",
        "store[sd]?, storage, retain*, retention, kept, keep, keeps, aufbewahr*, speicher*,"
        " conserv*, almacen*",
    ),
    matter(
        "owe*, liable, blame*, sue, haft*, schadenersatz, schuld, responsab*",
        "liab*, indemn*, damages, losses, warrant*, haft*, schadens*, responsab*, garant*",
    ),
    matter(
        "(?:which|what)(?: \\w+)? laws? appl*, courts?, laws?, gericht*, recht, tribunal*, ley,"
        " loi, juge",
        "jurisdiction*, governed, courts?, laws?, gericht*, jurisdicc*, tribunal*, juridiction*",
    ),
    matter(
        "owns, owned, (?:i|we|you|they) own, belong*, gehort, pertenec*, appart(?:ien|en)*",
        "owner*, ownership, own, owns, owned, title to, property of, belong*, eigentum*, gehor*,"
        " propiedad, propietari*, pertenec*, propriet*, appart(?:ien|en)*",
    ),
    matter(
        "upload*, post, posts, posted, posting, hochlad*, hochgeladen*, subir, subo",
        "upload*, submit*, submission*, submitted, post, posts, posted, posting, contribut*,"
        " hochlad*, hochgeladen*, subir, subid*, transmet*",
    ),
    matter(
        "(?:he|she|i|they|we|you|someone|somebody|one) die, dies, died, dead, dying, stirbt,"
        " sterben, gestorben, muere*, morir, meurt, mourir",
        "death*, dies, died, deceas*, tod, todes*, stirbt, sterben, verstorben*, fallec*, muert*,"
        " mort, deces",
    ),
    matter(
        "bots?, crawl*, scrap(?:e|es|ing|ers?)",
        "robots?, bots?, spiders?, crawl*, scrap(?:e|es|ing|ers?), harvest*, automated",
    ),
    matter(
        "rent * out, rent out, sublet*, airbnb, untervermiet*, subarrend*, sous lou*",
        "sublet*, subleas*, subtenan*, lodgers?, untervermiet*, untermiet*, subarrend*, sous lo*",
    ),
    matter("my data, my info, our data, personal info", "information, personal data, data"),
    matter(
        "old enough, how old, too young, kids?, alt genug, kinder, edad, ninos?, enfants?",
        "age, aged, ages, years?, minors?, adults?, parents?, child, children, alter, minderjahr*,"
        " edad, anos, menor, menores, mineur*, ans",
    ),
    matter(
        "opening hours, opening times, when * open, when * * open, offnungszeit*, geoffnet,"
        " horario*,"
        " abiert*, horaires?, ouvert*",
        "hours, opening, opens?, close[sd]?, offnungszeit*, uhr, geoffnet, horario*, abiert*,"
        " horaire*, ouvert*, am, pm",
    ),
    matter(
        "sign* up, join*, become a member, mitmach*, mitglied werden, beitret*, anmeld*, apuntarme,"
        " unirme, inscri*, devenir membre, adherer",
        "regist*, membership, apply, applies, applicants?, subscri*, enrol*, join*, bewerb*,"
        " mitglied*, anmeld*, beitritt*, inscri*, miembro*, solicit*, adhes*, membres?, candidat*",
    ),
    matter(
        "complain*, appeal*, beschwer*, quej*, plaindre, plainte*",
        "complain*, appeal*, disput*, beschwerd*, einspruch*, queja*, reclam*, plainte*, recours,"
        " litige*",
    ),
    matter(
        "break* the rules, banned, kicked out, thrown out, punish*, rausgeworfen, gesperrt,"
        " expulsar, exclure",
        "sanction*, bans?, banned, suspen*, expel*, expuls*, consequences?, violat*, remov*,"
        " verstosse, ausschlu*, gesperrt, sancion*, exclu*",
    ),
    matter(
        "vacations?, holidays?, time off, days? off, urlaub*, freie tage, vacaciones, vacances",
        "annual leave, paid leave, leave days?, days? of leave, on leave, leave entitlement,"
        " vacations?, holidays?, time off, days? off, urlaub*, vacaciones, vacances, conges?",
    ),
    matter(
        "closed source, closed software, proprietar*, propietari*, privateur*, geschlossen*",
        "propriet*, propietari*, closed source, privativ*, privateur*, unfrei*",
    ),
    matter(
        "(?:set|define|declare|create|make) (?:a|an|the|my|some|up) (?:\\w+ )?variables?"
        ", variable (?:setzen|definieren), definir una variable",
        "assign*, zuweis*, asign*, affect*",
    ),
    matter(
        "loud, noise, noisy, laut, lautstarke, larm, ruido, bruit",
        "sounds?, audio, volume, noise, lautstark*, ton, sonido*, volumen, bruit, son",
    ),
    matter(
        "tax, taxes, vat, steuern?, impuesto*, iva, taxes?, tva",
        "tax, taxes, vat, mwst, mehrwertsteuer, steuern?, impuesto*, iva, taxes?, tva",
    ),
    matter(
        "fast*, slow*, speed*, schnell*, langsam*, rapid*, lent[ao]?, vite",
        "performance, speed*, fast*, slow*, optimi*, accelerat*, leistung*, geschwind*,"
        " rendimiento, rapid*",
    ),
)
# Words that are spelt in two ways, in Britain and in America.
SPELT_ALIKE = (
    "cheque check, colour color, favourite favorite, favour favor, behaviour behavior"
    ", neighbour neighbor, harbour harbor, centre center, metre meter, litre liter, fibre fiber"
    ", theatre theater, licence license, defence defense, offence offense, organis organiz"
    ", authoris authoriz, customis customiz, recognis recogniz, minimis minimiz, maximis maximiz"
    ", initialis initializ, synchronis synchroniz, analys analyz, catalogue catalog"
    ", dialogue dialog, programme program, grey gray, aluminium aluminum, jewellery jewelry"
    ", cancell cancel, travell travel, labell label, mould mold, plough plow"
)
MATTERS += tuple(
    matter(either, either)
    for pair in SPELT_ALIKE.split(", ")
    for either in [", ".join(f"{word}*" for word in pair.split())]
)


@dataclass(frozen=True)
class AskedMatter:
    """A matter that a question asks about: the terms that ask about it, and what tells of it."""

    terms: frozenset[str]
    said: re.Pattern[str]


def matters_of(question: str) -> tuple[AskedMatter, ...]:
    """Return the matters that a question asks about in everyday words."""
    return tuple(_matters(plain_words(question)))


def _matters(plain: str) -> Iterator[AskedMatter]:
    for each in MATTERS:
        typed = each.asked.findall(plain)
        if not typed:  # of most there is nothing
            continue
        asked = frozenset(index_terms(" ".join(typed)))
        told = frozenset(index_terms(" ".join(each.said.findall(plain))))
        # Who types two words for it tells them apart: "the difference of remove and purge".
        if asked and told <= asked:
            yield AskedMatter(asked, each.said)


def meant_by(matters: Collection[AskedMatter], text: str) -> set[str]:
    """Return the terms of a question that the text says in other words."""
    plain = plain_words(text) if matters else ""
    return {term for each in matters if each.said.search(plain) for term in each.terms}


def plain_words(text: str) -> str:
    """Return the first words of a text, small, without accents, with one space between them."""
    return " ".join(words(text)[:MOST_READ])
