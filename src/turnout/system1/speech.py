"""What a text does with the actions that it mentions: it asks for them, or it only speaks about them.

Strategy: a text is read clause by clause, and a clause by how it begins, once greetings, "please" and "could you"
are taken off; what surrounds the verb says more about its purpose than the verb. What only tells why something is
asked for ("I never got it, resend it") or what is not wanted ("don't restart api, restart web") does not count
against the clause that asks. An action whose own examples show a form takes requests of that form.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from turnout.model.utterance.words import pattern, word_set

from . import needles, phrases, phrases_foreign, phrases_framing, phrases_whole
from .clauses import clauses, is_numbered, lowered, opens
from .deeds import Deeds
from .gloss import gloss
from .leftover import content
from .payload import handed_on, quotes
from .verbs import IMPERATIVES, LOOKING, READING
from .withdrawal import is_withdrawal

BACKGROUND: Final = frozenset({"past", "plan", "reported", "wish", "hypothetical"})
"""Forms that beside a request tell why it's made."""

_OUTWEIGHED: Final = frozenset({"feasibility", "wish", "quoted"})
"""Forms of questions, reports and quotations that hardly anybody fills with all the values of a request."""
_TOLD: Final = frozenset({"", "past", "plan", "wish"})
_QUESTIONS: Final = frozenset({"why", "explanation", "advice", "lookup", "how-to"})
_DENIES: Final = re.compile(r"n't\b|\bnot\b|\bno longer\b")
_ANSWERING: Final = word_set("explain describe help let advise answer reply confirm clarify ask inform send")
_DROPPED: Final = frozenset({"negation", "retreat", "courtesy"})
_AFTER_POLITENESS: Final = frozenset(
    {"negation", "transformation", "how-to", "why", "explanation", "condition", "retreat"}
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_LETTING_KNOW: Final = re.compile(r"let (?!me\b|us\b|it\b)(?:[^\W\d_]+[\s'-]+){1,4}know\b")
_SIGNS: Final = re.compile(r"[\U0001f644/`~<>(){}\[\];=$|&\\/\n_:#]|--")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_QUOTED_LINE: Final = re.compile(r"^\s*>", re.MULTILINE)
_FEW_WORDS: Final = 5
_BEGINNING: Final = 3  # words
_LONG: Final = 500  # code points; in a longer text no contrast is looked for
_LONGEST: Final = 4_000  # code points; a longer text is no request for an action
_TONE_ACTIONS: Final = 5
_TONE_SHARE: Final = 0.2
_PLURAL: Final = re.compile(
    r"can (?:you|u) ((?!you|please|help|give|tell|see|hear)[a-z-]+)(?: (?:out|up|new|other|any|different))? "
    r"(?:(?!the\b|my\b|our\b|your\b|his\b|her\b|their\b|all\b|both\b|these\b|those\b)[a-z-]+ )?"
    r"(?!this\b|details\b|news\b|lights\b|blinds\b|yes\b|is\b|us\b|\w+ss\b)[a-z-]+s(?: or [a-z]+)?\W*\Z"
)


class Clause(NamedTuple):
    """A stretch of a text; `form` is what it does, `""` where it neither asks nor shows a form by name.

    `asks` says that it has the shape of a request, `states` that of a statement, `rhetorical` that of a question that
    wants no answer ("is it down again?"); `begins` is where what it says itself begins, after greetings and
    the like.
    """

    start: int
    end: int
    begins: int
    form: str
    asks: bool
    states: bool = False
    rhetorical: bool = False


class Speech(NamedTuple):
    """A text in clauses, and the forms of the whole."""

    clauses: tuple[Clause, ...]
    whole: frozenset[str]

    @property
    def asks(self) -> bool:
        """Whether a clause has the shape of a request."""
        return any(clause.asks for clause in self.clauses)

    def forms(self) -> frozenset[str]:
        """What speaks against acting on the text."""
        found = {clause.form for clause in self.clauses if clause.form and not self.may_be_left_out(clause)}
        if all(clause.form == "courtesy" for clause in self.clauses):
            found.add("courtesy")
        return self.whole | found

    def may_be_left_out(self, clause: Clause) -> bool:
        """Whether a clause is nothing beside the ones that ask: courtesy, background, what is not wanted."""
        if clause.form == "courtesy":
            return True
        if clause.form == "retreat" and not self.asks:
            looks = [other.start for other in self.clauses if other.form == "lookup"]
            return bool(looks) and min(looks) > clause.start
        if not self.asks:
            return False
        if clause.form == "why" or clause.rhetorical or (clause.form == "how-to" and clause.states):
            return any(other.asks and other.start > clause.start for other in self.clauses)
        if clause.form == "retreat":
            return not any(other.asks and other.start < clause.start for other in self.clauses)
        return clause.form == "negation" or clause.form in BACKGROUND


def forms(text: str) -> frozenset[str]:
    """The forms of speech in a text that speak against acting on it, by name; none for a plain request.

    `courtesy`, `example` (for instance), `capability` (what can you do), `how-to`, `why`, `explanation` (what is, what
    happens), `feasibility` (is it possible to), `advice` (should I, is it safe), `negation`, `retreat` (never mind),
    `condition` (if, when), `hypothetical`, `wish` (somebody else's), `reported`, `past`, `plan`, `transformation`
    (translate, write), `sarcasm`, `lookup` (a question for facts), `quoted`,
    `injection`, `code`.
    """
    return speech(straightened(text)).forms()


def speech(text: str, verbs: frozenset[str] = frozenset()) -> Speech:
    """What each clause of a text does; `verbs` are lower-case words that begin a request beside the common ones."""
    if len(text) > _LONGEST:
        return Speech((), frozenset({"long"}))
    low = lowered(text)
    languages = _languages(low)
    foreign = gloss(text)
    if foreign is not None:
        verbs |= foreign.verbs
        languages = (foreign.tongue, *(each for each in languages if each != foreign.tongue))
    said = _without_what_is_handed_on(low)
    read: list[Clause] = []
    for start, end in clauses(text, verbs):
        clause = _clause(said, start, end, languages, verbs)
        if (
            foreign is not None
            and not clause.form
            and "?" in low[clause.end - 1 : clause.end + 1]
            and not _requests(low, clause)
        ):
            clause = clause._replace(form="lookup", asks=False)
        if read and not clause.form and _goes_on(low, read[-1], start):
            clause = clause._replace(form=read[-1].form, asks=False)
        if clause.asks and read and _delegates(low, clause):
            clause = _delegated(low, read, clause)
        read.append(clause)
    if not any(clause.asks for clause in read):
        read = [_obliging(low, clause) for clause in read]
    read = _with_mere_questions(low, read)
    whole = _whole(low, tuple(read), languages)
    return Speech(tuple(read), whole)


def _obliging(low: str, clause: Clause) -> Clause:
    """A statement that something has to be done as the request that it is where nothing else asks."""
    if not clause.states or not pattern(phrases_framing.OBLIGING).match(low, clause.begins, clause.end):
        return clause
    return clause._replace(states=False, asks=True)


def _delegates(low: str, clause: Clause) -> bool:
    delegating = pattern(phrases_framing.DELEGATING)
    return any(
        delegating.fullmatch(low, at, clause.end)
        for at in (clause.begins, _lead(low, clause.start, clause.end))
    )


def _delegated(low: str, read: list[Clause], clause: Clause) -> Clause:
    """A clause that asks for what the last one told, which then asks itself; the clause as it is behind any other.

    What is denied before that ("we don't have 12, we have 9, correct that") is what is not wanted.
    """
    at = next((at for at in range(len(read) - 1, -1, -1) if read[at].form != "courtesy"), -1)
    if at < 0 or read[at].form not in _TOLD:
        return clause
    read[at] = read[at]._replace(form="", asks=True, states=False)
    for before, each in enumerate(read[:at]):
        if each.states and not each.form and _DENIES.search(low, each.begins, each.end):
            read[before] = each._replace(form="negation")
    return clause._replace(form="courtesy", asks=False)


def _with_mere_questions(low: str, read: list[Clause]) -> list[Clause]:
    """The clauses, a question before a sentence that asks for something to be done as one that wants no answer."""
    firm = max((clause.start for clause in read if clause.asks and _is_firm(low, clause)), default=-1)
    return [
        clause._replace(rhetorical=True)
        if clause.form in _QUESTIONS and clause.start < firm and "?" in low[clause.end - 1 : clause.end + 1]
        else clause
        for clause in read
    ]


def _is_firm(low: str, clause: Clause) -> bool:
    """Whether a clause begins with a verb that asks for more than an answer."""
    word = _WORD.match(low, clause.begins, clause.end)
    return word is not None and word[0] in IMPERATIVES and word[0] not in READING | _ANSWERING


def _without_what_is_handed_on(low: str) -> str:
    """The text with signs in place of the messages in it, of the same length."""
    for start, end in handed_on(low):
        low = f"{low[:start]}:{'-' * (end - start - 1)}{low[end:]}"
    return low


def _requests(low: str, clause: Clause) -> bool:
    """Whether a question is a polite request: "Kannst du ...?"."""
    return (
        pattern(phrases_framing.REQUESTERS).match(low, _lead(low, clause.start, clause.end), clause.end)
        is not None
    )


def wanted(text: str, speech: Speech) -> str:
    """The text without the clauses and phrases that say what is not wanted; courtesies go too."""
    if not any(clause.form in _DROPPED for clause in speech.clauses):
        return without_instead(text)
    kept = [clause for clause in speech.clauses if clause.form not in _DROPPED or clause.states]
    pieces: list[str] = []
    for index, clause in enumerate(kept):
        following = kept[index + 1].start if index + 1 < len(kept) else clause.end
        dropped = any(clause.end <= other.start < following for other in speech.clauses if other not in kept)
        pieces.append(text[clause.start : clause.end if dropped else following])
        if dropped and index + 1 < len(kept):
            pieces.append(", ")
    return without_instead("".join(pieces)).strip()


def without_instead(text: str) -> str:
    """The text without phrases such as "instead of Monday"."""
    return pattern(phrases_framing.INSTEAD, re.IGNORECASE).sub("", text) if _has_instead(text) else text


def straightened(text: str) -> str:
    """The text with "don't book Monday but Tuesday" as "book Tuesday"; any other text as it is."""
    if len(text) > _LONG or not any(
        word in text.lower()
        for word in (
            "but ",
            "just ",
            "only ",
            "rather ",
            "instead",
            "not ",
            "sondern ",
            "mais ",
            "sino ",
            " ma ",
        )
    ):
        return text
    for source in phrases_framing.CONTRAST:
        text = pattern(source, re.IGNORECASE).sub(_straight, text)
    return text


def _straight(found: re.Match[str]) -> str:
    wanted = found["wanted"]
    first = wanted.split()[0].lower()
    puts_right = not found["verb"] and found.start() == 0
    if not puts_right and opens(lowered(wanted), 0) and f" {first} " not in f" {found['not'].lower()} ":
        return found[0]
    if not found["verb"]:
        return f"{found['lead']}{wanted}"
    # What stands before the last phrase of the same kind is said of both: "move the call to May but to June".
    kept = found["not"].lower().rfind(f" {first} ") if first in _PREPOSITIONS else -1
    said = f"{found['not'][:kept]} " if kept > 0 else ""
    return f"{found['lead']}{found['verb']} {said}{wanted}"


_PREPOSITIONS: Final = word_set("to at on in for from by with until about under over into as")


def _has_instead(text: str) -> bool:
    return any(
        word in text.lower()
        for word in (
            "instead of",
            "rather than",
            "in place of",
            "statt",
            "au lieu",
            "en vez",
            "en lugar",
            "invece",
        )
    )


class _Taught(NamedTuple):
    """What an action's texts showed: the forms normal for it, and whether it is asked for with statements."""

    texts: tuple[str, ...]
    described: tuple[str, ...]
    forms: frozenset[str]
    states: bool


class Gate:
    """Which forms are normal for which action."""

    __slots__ = ("_deeds", "_normal", "_stated", "_taught", "_verbs")

    def __init__(
        self,
        normal: Mapping[str, frozenset[str]],
        verbs: frozenset[str] = frozenset(),
        stated: frozenset[str] = frozenset(),
        deeds: Deeds | None = None,
        read: Mapping[str, _Taught] | None = None,
    ) -> None:
        self._normal = dict(normal)
        self._taught = read or {}
        self._verbs = verbs
        self._stated = stated
        self._deeds = deeds or Deeds({})

    @property
    def stated(self) -> frozenset[str]:
        """The actions that are asked for with a statement too, as their examples show: "D-12 is won"."""
        return self._stated

    @property
    def verbs(self) -> frozenset[str]:
        """Words with which the examples ask for something."""
        return self._verbs

    @classmethod
    def learn(
        cls,
        examples: Mapping[str, Iterable[str]],
        about: Mapping[str, Iterable[str]] | None = None,
        since: "Gate | None" = None,
    ) -> "Gate":
        """A gate that lets through, for each action id, the forms which its own examples show.

        `about` holds names and descriptions; they and the examples tell whether an action looks something up, so
        that a question for facts asks for it. Where `since` knows the same verbs, actions that say the same there are
        not read again; the gate is the same.
        """
        taught = {action: tuple(texts) for action, texts in examples.items()}
        verbs = frozenset(word for texts in taught.values() for text in texts if (word := _first_verb(text)))
        before = since._taught if since is not None and since._verbs == verbs else {}
        shown: dict[str, _Taught] = {}
        for action in {**taught, **(about or {})}:
            texts, described = taught.get(action, ()), tuple((about or {}).get(action, ()))
            known = before.get(action)
            same = known is not None and (known.texts, known.described) == (texts, described)
            shown[action] = known if known is not None and same else _learned(action, texts, described, verbs)
        normal = {action: each.forms for action, each in shown.items()}
        usual = _usual([forms for action, forms in normal.items() if taught.get(action)])
        stated = frozenset(action for action, each in shown.items() if each.states)
        deeds = Deeds.learn(taught, about or {})
        return cls({action: forms | usual for action, forms in normal.items()}, verbs, stated, deeds, shown)

    def read(self, text: str) -> Speech:
        """What each clause of the text does."""
        return speech(text, self._verbs)

    def refuses(self, action_id: str, text: str) -> str | None:
        """The reason why a text doesn't ask for this action, `None` when nothing speaks against it."""
        return self.objects(action_id, self.read(straightened(text)).forms())

    def misses(self, action_id: str, said: str) -> str:
        """Why the verb of a clause asks for something else than this action, `""` when nothing speaks against it."""
        return self._deeds.objects(action_id, said)

    def unable(self, action_id: str, told: str) -> bool:
        """Whether a statement says that somebody can't do what the action's examples say."""
        return self._deeds.unable(action_id, told)

    def objects(self, action_id: str, forms: Iterable[str]) -> str | None:
        """The same for forms that are known."""
        against = sorted(set(forms) - self._normal.get(action_id, frozenset()))
        return f"gate: {', '.join(against)}" if against else None

    @staticmethod
    def surely(forms: Iterable[str]) -> frozenset[str]:
        """Those of the forms that also speak against a request which says all that an action needs."""
        return frozenset(forms) - _OUTWEIGHED

    def always(self, forms: Iterable[str]) -> str | None:
        """The reason why no action at all takes these forms, `None` when one may."""
        against = set(forms)
        if not against or any(against <= normal for normal in self._normal.values()):
            return None
        return f"gate: {', '.join(sorted(against))}"

    def shows(self, action_id: str, said: str) -> bool:
        """Whether an example of the action begins as these words do, "do not disturb" for instance."""
        begins = _LETTERS.findall(lowered(said))[:_BEGINNING]
        taught = self._taught.get(action_id)
        texts = taught.texts if taught is not None else ()
        return any(_LETTERS.findall(lowered(text))[:_BEGINNING] == begins for text in texts)

    def normal(self, action_id: str) -> frozenset[str]:
        """The forms that speak against nothing for this action."""
        return self._normal.get(action_id, frozenset())


def _learned(
    action: str, texts: tuple[str, ...], described: tuple[str, ...], verbs: frozenset[str]
) -> _Taught:
    """What an action's texts show."""
    read = tuple(speech(text, verbs) for text in texts)
    asking = tuple(text for text, each in zip(texts, read, strict=True) if not _states(each))
    forms = _shown(read) | _looking_up(action, asking, described)
    return _Taught(texts, described, forms, any(map(_states, read)))


@lru_cache(maxsize=2048)
def _shown(read: tuple[Speech, ...]) -> frozenset[str]:
    counts: dict[str, int] = {}
    for form in (form for each in read for form in each.forms()):
        counts[form] = counts.get(form, 0) + 1
    least = 1 if len(read) <= 20 else 1 + len(read) // 50
    return frozenset(form for form, count in counts.items() if count >= least)


def _states(read: Speech) -> bool:
    """Whether a text is nothing but a plain statement."""
    return all(clause.states and not clause.form for clause in read.clauses)


def _usual(normal: list[frozenset[str]]) -> frozenset[str]:
    """The forms that so many actions take that they are the tone of the whole catalogue, as in one of answers."""
    counts: dict[str, int] = {}
    for form in (form for forms in normal for form in forms):
        counts[form] = counts.get(form, 0) + 1
    least = max(_TONE_ACTIONS, len(normal) * _TONE_SHARE)
    return frozenset(form for form, count in counts.items() if count >= least)


def _looking_up(action: str, texts: tuple[str, ...], described: tuple[str, ...]) -> frozenset[str]:
    """Whether an action looks something up, by the verb of its id, name, description or of an example."""
    spoken = re.sub(r"([a-z])([A-Z])", r"\1 \2", re.split(r"[./:]", action)[-1]).lower()
    words = re.findall(r"[a-z]+", spoken)
    heads = (" ".join(words), *words[-1:], *(text.lower() for text in described))
    fillers = pattern(phrases_framing.FILLERS)
    asking = (fillers.sub("", text.lower(), count=1) for text in texts)
    looks = any(_LOOKING.match(text) for text in heads) or any(_ASKING.match(text) for text in asking)
    return frozenset({"lookup"}) if looks else frozenset()


_VERBS: Final = "|".join(sorted(LOOKING, key=len, reverse=True))
_NOT_LOOKING: Final = r"(?! (?:(?:me|us|him|her|them|it|you|the \w+|\S*\d\S*) )?(?:in|out|off)\b|-)"
"""After "check": one checks in, and checks a guest in."""
_LOOKING: Final = re.compile(
    rf"(?:get(?! rid)|give(?!.* (?:back|away|up)\b|.*\b(?:permission|access|leave)\b)|fetch|read"
    rf"|{_VERBS})s?\b(?! up\b)"
    rf"{_NOT_LOOKING}"
)
_ASKING: Final = re.compile(rf"(?:(?:give|get|tell|send|bring|read) (?:me|us)|{_VERBS})\b{_NOT_LOOKING}")

_AFTER_VERB: Final = re.compile(
    r"(?:the|a|an|my|our|your|me|us|all|this|that|it|them|every|up|off|on|out|down|to|for|[A-Z]|[^\s]*\d)"
)


def _first_verb(text: str) -> str:
    """The word with which an example asks, where it stands before what a verb stands before."""
    low = lowered(text)
    at = _lead(low, 0, len(low))
    word = _WORD.match(low, at)
    if word is None or word[0] in IMPERATIVES or len(word[0]) < 3:
        return ""
    following = _AFTER_VERB.match(text, word.end() + 1)
    opens = _opening().match(low, at) is None and pattern(phrases_framing.STATING).match(low, at) is None
    return word[0] if following is not None and opens and text[word.end() : word.end() + 1] == " " else ""


@cache
def _opening(language: str = "") -> re.Pattern[str]:
    table = phrases_foreign.OPENING[language] if language else phrases.OPENING
    # A group's name has no hyphen.
    rows = (
        f"(?P<{form.replace('-', '_')}>{'|'.join(rows)})" for form, rows in table.items() if form != "sarcasm"
    )
    return re.compile("|".join(rows))


@cache
def _mocking() -> re.Pattern[str]:
    tables = (phrases.OPENING, *phrases_foreign.OPENING.values())
    return re.compile("|".join(row for table in tables for row in table.get("sarcasm", ())))


def _languages(low: str) -> tuple[str, ...]:
    words = set(_LETTERS.findall(low))
    least = 1 if len(words) <= _FEW_WORDS else 2
    found = [
        (len(words & little), name)
        for name, little in phrases_foreign.LANGUAGES.items()
        if len(words & little) >= least
    ]
    found.sort(reverse=True)
    names = tuple(name for _, name in found[:2])
    return (*names[:1], "", *names[1:]) if found and found[0][0] > 1 else ("", *names)


def _lead(low: str, start: int, end: int) -> int:
    found = pattern(phrases_framing.FILLERS).match(low, start, end)
    return start if found is None else found.end()


def _form(low: str, start: int, end: int, languages: tuple[str, ...]) -> str:
    for language in languages:
        found = _opening(language).match(low, start, end)
        if found is not None:
            return str(found.lastgroup).replace("_", "-")
    return ""


_SAYS_NO: Final = re.compile(r"\A(?:[^\W\d]+[\s,]+)?(?:no|nope|nah)\W*\Z")


def _clause(low: str, start: int, end: int, languages: tuple[str, ...], verbs: frozenset[str]) -> Clause:
    if is_withdrawal(low[start:end]):
        return Clause(start, end, start, "retreat", asks=False)
    end += low.startswith(":", end)  # says that something follows
    begins = _lead(low, start, end)
    if begins >= end:
        form = "retreat" if _SAYS_NO.search(low[start:end]) else "courtesy"
        return Clause(start, end, start, form, asks=False)
    form = _first_form(low, start, begins, end, languages)
    polite = pattern(phrases_framing.REQUESTERS).match(low, begins, end) if form in ("", "lookup") else None
    if polite is not None:
        begins = polite.end()
        form = _form(low, begins, end, languages)
        form = form if form in _AFTER_POLITENESS else ""
    embedded = pattern(phrases_framing.ASKING).match(low, begins, end)
    if embedded is not None and form in ("", "lookup", "past"):
        inner = _form(low, embedded.end(), end, languages)
        return Clause(
            start, end, begins, "lookup" if inner in ("", "condition", "past") else inner, asks=False
        )
    if form == "condition" and pattern(phrases_framing.AT_LEISURE).match(low, begins, end):
        return Clause(start, end, begins, "courtesy", asks=False)
    if form == "condition" and _is_feasibility(low, begins, end):
        return Clause(start, end, begins, "", asks=False, states=True)
    if form:
        return _with_form(low, Clause(start, end, begins, form, asks=False))
    return _plain(low, Clause(start, end, begins, "", asks=polite is not None), verbs)


def _first_form(low: str, start: int, begins: int, end: int, languages: tuple[str, ...]) -> str:
    """The form of a clause with the politeness that may make another of it."""
    form = _form(low, start, end, ("",)) if begins > start else ""
    if form in ("courtesy", "retreat", "example"):
        return form
    form = _form(low, begins, end, languages)
    if form and pattern(phrases_framing.SURE_REQUESTERS).match(low, begins, end):
        return ""
    if form in ("lookup", "explanation") and low.startswith("what", begins):
        cleft = pattern(phrases_framing.REQUESTERS).match(low, begins, end)
        return form if cleft is None else ""
    if form in ("", "lookup") and _PLURAL.match(low, begins, end) and not _reads(low, begins):
        return "capability"
    return form


def _with_form(low: str, clause: Clause) -> Clause:
    if clause.form in ("negation", "how-to"):
        states = pattern(phrases_framing.STATING).match(low, clause.begins, clause.end) is not None
        return clause._replace(states=states)
    if clause.form in ("lookup", "advice", "explanation"):
        rhetorical = pattern(phrases_framing.RHETORICAL).match(low, clause.begins, clause.end) is not None
        return clause._replace(rhetorical=rhetorical)
    return clause


def _plain(low: str, clause: Clause, verbs: frozenset[str]) -> Clause:
    """A clause without a form: whether it asks, and whether what it asks for depends on something."""
    begins, end = clause.begins, clause.end
    if not clause.asks:
        if pattern(phrases_framing.STATING).match(low, begins, end):
            return clause._replace(states=True)
        word = _WORD.match(low, begins, end)
        asks = (
            word is not None
            and (word[0] in IMPERATIVES or word[0] in verbs)
            and not is_numbered(low, word.end())
        )
        asks = asks or _LETTING_KNOW.match(low, begins, end) is not None or _is_begged(low, clause)
        clause = clause._replace(asks=asks)
    if clause.asks and _depends(low, begins, end):
        return clause._replace(form="condition", asks=False)
    return clause


def _is_begged(low: str, clause: Clause) -> bool:
    """Whether "please" stands before a word that may be a verb: "please terminate it"."""
    begged = pattern(phrases_framing.NO_VERB).match(low, clause.start, clause.end)
    return begged is not None and content(begged["verb"]) > 0 and begged.start("verb") == clause.begins


def _reads(low: str, begins: int) -> bool:
    words = low[begins : begins + 60].split()
    return len(words) > 2 and words[2].strip(".,!?") in READING


def _depends(low: str, start: int, end: int) -> bool:
    return (
        pattern(phrases_framing.CONDITION).search(low, start, end) is not None
        and pattern(phrases_framing.AGREED).search(low, start, end) is None
    )


def _is_feasibility(low: str, start: int, end: int) -> bool:
    return pattern(phrases_framing.FEASIBLE).match(low, start, end) is not None


def _goes_on(low: str, told: Clause, start: int) -> bool:
    """Whether what somebody else said, or what is to be rewritten, goes on in the clause that starts here."""
    if told.form == "example" or (
        told.form in ("reported", "transformation") and ":" in low[told.end - 1 : start]
    ):
        return True
    if told.form != "reported":
        return False
    if pattern(phrases_framing.RELAYED).search(low, told.start, told.end):
        return True
    return pattern(phrases_framing.AND).fullmatch(low, told.end, start) is not None


def _whole(low: str, read: tuple[Clause, ...], languages: tuple[str, ...]) -> frozenset[str]:
    signs = _SIGNS.search(low) is not None
    found = {
        form
        for form, expression, words in _anywhere()
        if (signs if words is None else any(word in low for word in words)) and expression.search(low)
    }
    if any(_mocking().match(low, clause.start) for clause in read) or "sarcasm" in found:
        found.add("sarcasm")
    if not any(clause.asks for clause in read) and pattern(phrases_framing.MOCKING).match(low):
        found.add("sarcasm")
    if not any(clause.asks for clause in read) and _quotes_a_request(low, read):
        found.add("quoted")
    return frozenset(found)


@cache
def _anywhere() -> tuple[tuple[str, re.Pattern[str], needles.Needles | None], ...]:
    """Each wording with the words without which it can't be there; code without such words needs its signs."""
    rows = [(form, re.compile(row)) for form, rows in phrases_whole.ANYWHERE.items() for row in rows]
    return tuple((form, expression, needles.of_pattern(expression)) for form, expression in rows)


def _quotes_a_request(low: str, read: tuple[Clause, ...]) -> bool:
    """Whether words in quotes are spoken about, rather than a value that a request gives."""
    if ">" in low and _QUOTED_LINE.search(low):
        return True
    for start, end in quotes(low):
        if " " not in low[start:end].strip("\"' "):
            continue
        clause = next((clause for clause in read if clause.start <= start < clause.end), None)
        if clause is not None and (not clause.form or clause.form in BACKGROUND):
            return True
    return False
