"""What patterns of English are made of: who speaks, and what people are, have and use."""

# Who does it, however it is typed.
HOW = (
    r"(?: (?:now|currently|actually|also|still|both|just|all|mostly|mainly|only|recently"
    r"|really)){0,2}"
)
IM = rf"(?:i'?m|i am){HOW}"
WERE = rf"(?:we'?re|we are|i'?m|i am){HOW}"
IVE = rf"(?:i'?ve|i have|i|we'?ve|we have|we){HOW}"
# What is often said without saying who: "moved to Porto last week", "got two kids".
LATELY = rf"(?:{IVE} )?(?:just |recently |finally )?"
WE = rf"(?:we|i|our (?:team|company|department|office|group)){HOW}"
DO = rf"(?:i|we){HOW}"
ISNT = r"(?:i'?m|i am) (?:no longer|not)"
DONT = r"(?:don'?t|do not|dont)"
# What becomes of a budget.
MOVED = (
    "(?:raised|increased|upped|bumped|lifted|doubled|extended|cut|lowered|reduced|decreased|trimmed"
    "|brought|set|fixed|changed|adjusted|revised|moved|topped)"
)
# What they are, have and use.

FIELDS = (
    "(?:finance|marketing|sales|it|tech|law|hr|healthcare|health care"
    "|medicine|education|construction"
    r"|consulting|retail|insurance|banking|research|academia|engineering|government|procurement"
    r"|logistics|compliance|design|operations|accounting|(?:the )?[\w ]{2,30}"
    r"(?:department|team|industry|sector|field|business))"
)
HEALTH = (
    "(?:diabetic|celiac|coeliac|lactose intolerant|gluten[- ]free|pregnant"
    "|dyslexic|colou?r[- ]?blind|deaf|blind|asthmatic|hypertensive|autistic|epileptic)"
)
ILLNESS = (
    r"(?:(?:type [12] |chronic |severe |mild )?(?:diabetes|asthma|epilepsy|hypertension|dyslexia"
    r"|adhd|migraines?|arthritis|eczema|c(?:o)?eliac disease|high blood pressure|heart (?:disease"
    r"|failure)|kidney disease))"
)
DEVICE = (
    r"(?:mac(?:book)?|imac|iphone|ipad|android|chromebook|windows(?: \w+)?|linux|pc|raspberry pi)"
)
NATION = (
    r"(?:american|argentin\w+|australian|austrian|belgian|brazilian|british|bulgarian|canadian"
    r"|chilean"
    r"|chinese|colombian|croatian|czech|danish|dutch|egyptian|english|finnish|french|german|greek"
    r"|hungarian|indian|iranian|irish|israeli|italian|japanese|korean|mexican|moroccan|nigerian"
    r"|norwegian|pakistani|peruvian|polish|portuguese|romanian|russian|scottish|serbian|spanish"
    r"|swedish|swiss|syrian|turkish|ukrainian|vietnamese|welsh)"
)
# Whoever has no job says so as one.
STANDING = r"(?:retired|unemployed|self[- ]employed|freelanc(?:e|ing)|between jobs)"

DIET = r"(?:vegetarian|vegan|pescatarian|pescetarian|kosher|halal)"
JOB = (
    r"(?:[\w-]+ ){0,2}(?:\w{2,}(?:er|or|ist|ian|ant|ect|eer|yst|ogue"
    "|man|woman)|nurse|chef|judge|clerk"
    "|lawyer|student|pilot|coach|nanny|dentist|vet|notary|paralegal"
    r"|medic|paramedic|mechanic|guide|barista|priest|cop|builder|sysadmin|developer|dev|ceo|cto"
    r"|secretary|plumber|intern|freelancer|trustee|midwife)\b"
)
NO_JOB = (
    "(?:bit|little|fan|huge|lot|kind|sort|person|beginner|believer"
    "|member of|user|number|winner|loser|matter|member|customer of"
    "|danger|stranger|consumer under|creature)"
)
OWNED = (
    "(?:manager|boss|wife|husband|partner|girlfriend|boyfriend|son"
    "|daughter|kid|dog|cat|car|company"
    "|team|employer|address|phone(?: number)?|e-?mail(?: address)?"
    "|birthday|city|country|time ?zone"
    "|currency|mother tongue|(?:native|first|mother|second) language"
    "|doctor|lawyer|accountant|landlord"
    r"|school|university|college|major|department|database|stack|framework|programming language"
    r"|operating system|laptop|phone|browser|editor|height|weight|blood type|project|client"
    r"|start date|launch date|due date|nationality|pronouns|surname|last name|first name|nickname"
    r"|team size|rent|income|mortgage|goal|target|working hours|office|job title|title|salary|role"
    r"|profession|occupation|job|hobby|religion|star sign|shoe size|insurance|bank|supplier)"
)
UNSAID = (
    r"(?!(?:not|from|un\w+|wrong|broken|missing|late|angry|sick|ill|fine"
    "|ok|okay|good|bad|great|about|in|on"
    "|to|that|how|why|what|when|whether|very|too|so|really|quite|due"
    r"|gone|mad|upset|still|also|always|allergic|diabetic|asthmatic|vegan|vegetarian|pregnant|dead"
    r"|away|back|here|there|coming|visiting|never|a (?:problem|mess|joke)|the (?:problem|issue"
    r"|reason|one|same)|over|under|at|\w+ing)\b)"
)
