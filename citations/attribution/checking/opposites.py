"""Opposites: small words that turn what a sentence says."""

from memory.text.words import stem

LISTED = """
    more/less,fewer increase/decrease,decline,drop,fall,reduce,reduction,lower raise/lower,reduce
    rise/fall,decline,drop grow/shrink,decline growth/decline,shrinkage higher/lower high/low
    highest/lowest maximum/minimum most/least max/min first/last,final next/previous,preceding,prior
    following/preceding,previous after/before later/earlier late/early above/below over/under
    upper/lower succeeding/preceding subsequent/prior,previous,preceding
    before/after,following,since
    begin/end,finish,cease start/end,finish,stop open/close,closed opened/closed buy/sell
    bought/sold purchase/sell,sale win/lose won/lost winner/loser victory/defeat
    accept/reject,refuse
    accepted/rejected approve/reject,disapprove allow/forbid,prohibit,ban,prevent permit/prohibit
    allowed/forbidden,prohibited,banned include/exclude including/excluding positive/negative
    true/false right/wrong,left left/right north/south east/west northern/southern eastern/western
    northeast/southwest northwest/southeast male/female man/woman men/women boy/girl husband/wife
    father/mother son/daughter brother/sister king/queen actor/actress uncle/aunt nephew/niece
    his/her he/she him/her alive/dead live/die born/died birth/death young/old new/old
    younger/older youngest/oldest large/small,little larger/smaller largest/smallest big/small
    bigger/smaller biggest/smallest long/short longer/shorter longest/shortest fast/slow
    faster/slower strong/weak stronger/weaker hot/cold warm/cool hotter/colder wet/dry
    light/dark,heavy heavy/light hard/soft,easy easy/difficult,hard simple/complex
    best/worst better/worse good/bad rich/poor success/failure succeed/fail successful/unsuccessful
    possible/impossible common/rare,uncommon frequently/rarely often/rarely,seldom always/never
    usually/rarely,never all/none,some everyone/nobody both/neither any/no with/without
    public/private domestic/foreign internal/external inside/outside inner/outer near/far
    import/export arrive/leave,depart enter/leave,exit join/leave admit/deny confirm/deny
    support/oppose supported/opposed agree/disagree love/hate like/dislike ally/enemy
    active/inactive,passive direct/indirect legal/illegal lawful/unlawful safe/unsafe,dangerous
    known/unknown able/unable regular/irregular natural/artificial,synthetic real/fake
    full/empty complete/incomplete partial/complete,entire,whole,total major/minor majority/minority
    senior/junior primary/secondary parent/child teacher/student employer/employee buyer/seller
    lender/borrower landlord/tenant plaintiff/defendant creditor/debtor licensor/licensee
    doctor/patient author/reader advantage/disadvantage benefit/harm profit/loss gain/lose,loss
    credit/debit asset/liability income/expense add/remove,subtract insert/delete,remove
    create/destroy build/demolish,destroy connect/disconnect attach/detach enable/disable
    activate/inhibit,deactivate promote/inhibit,prevent,demote stimulate/inhibit,suppress
    upregulate/downregulate cause/prevent,cure strengthen/weaken improve/worsen accelerate/slow
    appear/disappear remember/forget save/waste,spend voluntary/mandatory,compulsory
    optional/mandatory,required temporary/permanent ancient/modern urban/rural acid/alkaline
    solo/together single/multiple,several married/divorced,single vertical/horizontal
    deep/shallow wide/narrow thick/thin tall/short present/absent presence/absence
    up/down upward/downward upstream/downstream in/out forward/backward top/bottom front/back
    expand/contract lengthen/shorten hire/fire borrow/lend push/pull fixed/variable
    mature/immature guilty/innocent even/odd horror/comedy drama/comedy amateur/professional
    loss/profit lossy/lossless day/night morning/evening,afternoon summer/winter spring/autumn,fall
    antes/despues siguiente/anterior mas/menos primero/ultimo maximo/minimo siempre/nunca
"""


def _listed() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for entry in LISTED.split():
        one, _, others = entry.partition("/")
        for other in others.split(","):
            found.setdefault(stem(one), set()).add(stem(other))
            found.setdefault(stem(other), set()).add(stem(one))
    return {word: frozenset(others - {word}) for word, others in found.items()}


# Of a stem, the stems that say the contrary.
OPPOSITES = _listed()

NEGATORS = frozenset(
    """not no never neither nor none nobody nothing nowhere without cannot hardly barely
    scarcely n't
    isn't wasn't aren't weren't don't doesn't didn't won't wouldn't can't couldn't shouldn't hasn't
    haven't hadn't mustn't fail failed fails unable lack lacks lacked nunca ninguno ningun ninguna
    jamas nicht kein keine nie ne pas jamais aucun nao nunca sem senza""".split()
)
# What is said of all or of one alone is seldom true of what was said of some.
SWEEPING = frozenset(
    """only all every each always never none solely exclusively entirely entire whole completely
    merely just everyone nobody everything nothing any must first last best worst most least
    same unique whole zero both""".split()
)
VAGUE = frozenset(
    """some several many often usually sometimes may might could can possibly probably perhaps
    generally typically about approximately around nearly almost partly partially few
    likely""".split()
)
BINDING = frozenset("must shall required mandatory obliged has have need needs will always".split())
PERMITTING = frozenset("may might can could optional optionally possibly sometimes".split())

_SAME = """
    begin start commence launch|end finish conclude cease terminate|buy purchase acquire|sell sold
    film movie picture|car automobile vehicle|doctor physician|attorney lawyer|big large
    small little
    die died dead death deceased|born birth|write wrote written author
    make made makes create produce
    show display exhibit|help assist aid|get obtain receive|give gave given provide|need require
    company firm corporation business|country nation|job occupation profession|kill murder
    wed marry married spouse wife husband|usa american america states u.s us|uk british britain
    begin began begun|go went gone|say said state tell told|choose chose select chosen pick
    teach taught|think thought believe|build built construct|win won|lead led|lose lost
    grow grew grown|know knew known|hold held|run ran|find found discover|hit strike struck
    speak spoke spoken talk|break broke broken|show shown|take took taken|come came|become became
    illness disease sickness|cancer tumor tumour|kid child children|man men|woman women
    person people
    rule regulation|allow permit let|forbid prohibit ban|quick fast rapid|near close
    important significant crucial key|use utilize employ|increase rise grow growth
    reduce decrease lower
    cause lead|also additionally|price cost|pay paid payment|next following|preceding previous prior
    approximately about roughly around|maximum most highest|minimum least lowest
    star starred starring
    song track|album record|band group|actor actress|city town|war conflict|prize award
    sing sang sung singer
    direct director|music musical musician|compute calculate
    anterior preceding previous prior|siguiente next following
"""


def _groups() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(_SAME.replace("\n", "|").split("|")):
        for word in group.split():
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


# Of a stem, the numbers of the groups of words that say much the same.
SAME = _groups()
