"""Wordings of each form of speech in German, French, Spanish and Italian: the commonest, see `phrases`."""

from typing import Final

from turnout.model.utterance.words import word_set

LANGUAGES: Final = {
    "german": word_set("""
        ich bitte nicht der die das und wie was ist für mit auf kannst könntest einen eine den dem mir mein
        meine meinen wir sie es von zu zum zur im am um hat haben habe wird wurde warum wenn falls mal kein
        keine nach du er darf kann soll sollte man bedeutet heißt bin bist sind"""),
    "french": word_set("""
        je j le la les un une des du de est pas ne que qui pour avec sur dans mon ma mes tu vous nous il elle au
        aux et comment pourquoi peux peut ce cette si quel quelle où plaît ai en d l"""),
    "spanish": word_set("""
        el la los las un una de del que qué y no para por con mi mis me en se es está cómo cuál favor al ya si
        he ha lo puedo puedes quién cuándo dónde yo tu hay cuántas cuántos cuánto"""),
    "italian": word_set("""
        il lo la gli le un una di del della che e non per con mio mia mi in è come perché cosa al alla ho ha se
        puoi posso quando chi dove sono si dei l d dell all quante quanti"""),
}
"""Little words; two of them, or one in a short text, tell that a text is in the language."""

OPENING: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "german": {
        "capability": (
            (
                r"was kannst du\b|was können sie\b|(?:kannst du|können sie) (?:auch |überhaupt )?(?!mir\b"
                r"|uns\b|bitte\b|mal\b|das\b|es\b|ihn\b|sie\b|die\b|den\b|alle\b|meine\b|diese\b)\w+(?:e|en|er"
                r"|s) \w+en\??\Z|bist du in der lage\b|welche (?:funktionen|befehle|aktionen)\b"
                r"|wobei kannst du\b"
            ),
        ),
        "how-to": (
            (
                r"wie (?:kann|könnte|soll|sollte|muss|würde|geht|funktioniert|macht|mache|ändere|lösche"
                r"|storniere|starte|buche|schicke|sende|bekomme|komme|man|\w+e ich|\w+t man|\w+en wir|läuft)\b"
                r"|wo (?:kann|finde|muss|soll)\b|was muss (?:ich|man)\b|welche schritte\b|(?:erklär|erkläre"
                r"|beschreib|beschreibe|zeig mir,? wie|sag mir,? wie|weißt du,? wie|ich weiß nicht,? wie)\b"
            ),
        ),
        "why": (r"(?:warum|wieso|weshalb|weswegen)\b",),
        "explanation": (
            (
                r"was (?:ist|sind|bedeutet|heißt|bewirkt|passiert|geschieht|macht|meint|kostet es)\b"
                r"|worin (?:besteht|liegt)\b|wofür (?:ist|steht|braucht)\b|was (?:der|die|das) unterschied\b"
                r"|erzähl mir\b"
            ),
        ),
        "advice": (
            (
                r"(?:kann|darf|könnte|können|dürfen) (?:ich|man|wir) .*\b(?:noch|überhaupt|kostenlos|jederzeit"
                r"|nachträglich"
                r"|ohne)\b|soll(?:te|ten|en)? (?:ich|wir|man)\b|(?:darf|dürfen|muss|müssen) (?:ich|wir|man)\b"
                r"|kann (?:man|jemand)\b|ist (?:es|das) (?:sicher|erlaubt|möglich|sinnvoll|gefährlich|besser"
                r"|gut|schlimm|nötig|notwendig|okay|ok)\b|gibt es (?:eine möglichkeit|ein risiko|eine gebühr"
                r"|gebühren|eine frist)\b|wer (?:darf|kann|muss)\b|wie (?:lange dauert|oft (?:kann|darf"
                r"|muss))\b"
            ),
        ),
        "negation": (
            (
                r"nicht\b(?! nur)|(?:an)?statt\b|(?:bitte )?(?:kein|keine|keinen|niemals|nie|auf keinen fall"
                r"|lass (?:das|es|die|den)|hör auf)\b|(?!vergiss\b|vergessen\b|wie|was|warum|wieso|wer|wann|wo"
                r"|kannst|könntest|könnten|ich|wir|mein|meine|der|die|das|es|zögere"
                r"|warte)[a-zäöüß]+ (?:[\w.äöüß-]+ ){0,4}nicht\b(?! vergessen| nur)|ich (?:will|möchte|brauche"
                r"|wollte) (?:[\w.äöüß-]+ ){0,4}(?:nicht|kein\w*)\b(?! vergessen)|(?!vergiss\b|wie|was|warum"
                r"|kannst|könntest|ich|wir)[a-zäöüß]+ (?:mir )?(?:kein|keine|keinen)\b"
            ),
        ),
        "condition": (r"(?:wenn|falls|sofern|sobald) (?!möglich|du kannst|sie können|es geht)",),
        "hypothetical": (
            (
                r"(?:angenommen|nehmen wir an|stell dir vor|was wäre|was würde|würde (?:es|das|ein|eine|der"
                r"|die)|ich überlege|wir überlegen|ich denke (?:darüber|daran)|vielleicht (?:sollte|sollten"
                r"|könnte|mache|lasse)|ich (?:könnte|sollte|würde)(?! gerne?\b))\b"
            ),
        ),
        "reported": (
            (
                r"(?:er|sie|\w+|mein \w+|meine \w+|der \w+|die \w+) (?:hat|haben"
                r"|hatte) (?:[\w.äöüß-]+ ){0,3}(?:gesagt|gemeint|gefragt|gebeten|geschrieben|erzählt"
                r"|vorgeschlagen|behauptet|verlangt)\b|(?:er|sie|\w+|mein \w+|meine \w+|der \w+"
                r"|die \w+) (?:sagt|sagte|meint|meinte|fragt|fragte|schreibt|schrieb|will|wollte|möchte|findet"
                r"|bat|behauptet|behauptete)\b(?<!ich will)(?<!ich möchte)(?<!ich wollte)(?<!wir möchten),?"
                r"|laut \w+|angeblich\b"
            ),
        ),
        "past": (
            (
                r"(?:ich|wir|er|sie|du|ihr|man|jemand|[\w-]+|der \w+|die \w+|das \w+|meine? \w+) (?:habe|hab"
                r"|haben|hast|hat|habt|hatte|hatten|wurde|wurden|ist|sind|war|waren"
                r"|bin) (?:[\w.äöüß:'-]+ ){0,7}(?:ge\w+(?:t|en)|\w*ge\w+(?:t|en)|(?:be|ver|er|ent|zer|über"
                r"|unter|wieder)\w+(?:t|en)|\w+iert)(?: worden)?[.!?]*\Z"
            ),
            (
                r"(?:habe|hab|haben|hast|hat|habt|hatte|wurde|wurden|ist|sind|war) (?:ich|wir|er|sie|du|ihr"
                r"|man|jemand|der|die|das|meine?|[\w-]+) (?:[\w.äöüß:'-]+ ){0,7}(?:\w*ge\w+(?:t|en)|(?:be|ver"
                r"|er|ent|zer|über|unter|wieder)\w+(?:t|en)|\w+iert)(?: worden)?[.!?]*\Z|(?:gestern|vorhin"
                r"|letzte \w+|letzten \w+|vorgestern) (?:habe|hab|haben|hat|wurde|wurden|ist|sind|war)\b"
            ),
        ),
        "plan": (r"(?:ich|wir) (?:werde|werden) (?!.*brauch)\w+",),
        "transformation": (
            (
                r"(?:übersetz|übersetze|übersetzen|fass|fasse|formulier|formuliere|schreib|schreibe|dichte"
                r"|korrigier|korrigiere|verfass|verfasse|entwirf)(?: (?:mir|uns|das|den|die|diesen|diese"
                r"|dieses|bitte|es|folgenden?|mal))*(?: (?:ins|auf|um|zusammen|neu|eine?n?|text|satz|gedicht"
                r"|brief|mail|e-mail|geschichte|folgen\w+|\w+))"
            ),
        ),
        "sarcasm": (
            (
                r"(?:super|klasse|toll|prima),? (?:gemacht|hinbekommen|schon wieder|genau das)\b|na (?:super"
                r"|toll|klasse|prima|bravo)\b|ach (?:toll|super|wie schön)\b"
            ),
        ),
        "lookup": (
            (
                r"(?:was|wer|wann|wo|welche[rsnm]?|wie (?:viel|viele|hoch|lange|spät|oft|ist|war)|ist|sind|hat"
                r"|haben|gibt es|steht)\b(?!.*\bbitte\b)"
            ),
        ),
    },
    "french": {
        "capability": (
            (
                r"que (?:peux-tu|sais-tu|pouvez-vous|savez-vous)\b|qu'est-ce que (?:tu|vous) (?:peux|pouvez"
                r"|sais|savez)\b|es-tu capable\b|êtes-vous capable\b|(?:sais-tu|savez-vous) \w+er\b"
                r"|quelles (?:fonctions|actions|commandes)\b"
            ),
        ),
        "how-to": (
            (
                r"comment (?:puis|peut|pourrait|faire|fait|est-ce|on|je|dois|faut|ça|fonctionne|marche|\w+er"
                r"|\w+-(?:on|t-on|je))\b|(?:où|par où) (?:puis|peut|dois|est-ce que)\b|(?:explique|expliquez"
                r"|décris|décrivez|montre-moi comment|dis-moi comment)\b|quelle est la (?:procédure|démarche"
                r"|marche)\b"
            ),
        ),
        "why": (r"pourquoi\b",),
        "explanation": (
            (
                r"qu'est-ce (?:que c'est|qu'une?|que)\b|c'est quoi\b|que (?:signifie|veut dire|se passe"
                r"|fait)\b|quelle est la différence\b|à quoi (?:sert|ça)\b"
            ),
        ),
        "advice": (
            (
                r"(?:dois-je|devrais-je|devons-nous|faut-il|peut-on|est-il|est-ce (?:qu'il faut|que je (?:dois"
                r"|devrais)|qu'on peut|possible|sûr|dangereux|permis|autorisé))\b|est-ce que (?:quelqu'un"
                r"|les \w+) (?:peut|peuvent)\b|y a-t-il (?:un moyen|un risque|des frais)\b|qui (?:peut|doit)\b"
                r"|combien de temps (?:faut|prend)\b"
            ),
        ),
        "negation": (
            (
                r"(?:ne|n')(?: ?)(?!oublie|oubliez|hésite|hésitez|manque|manquez"
                r"|tarde)[\w'à-ÿ-]+(?: [\w'à-ÿ-]+){0,3} (?:pas|jamais|plus|rien)\b|ne (?:pas|jamais|plus)\b"
                r"|au lieu d|surtout pas\b|pas (?:de|la peine|besoin|maintenant)\b|(?:je|nous) (?:ne"
                r"|n')[\w'à-ÿ ]+ pas\b|laisse(?:z)? (?:tomber|l)|il ne faut pas\b"
            ),
        ),
        "condition": (
            (
                r"si (?!possible|tu peux|vous pouvez|ça ne te|s'il)(?:je|j'|on|nous|tu|vous|le|la|les|l'|un"
                r"|une|jamais|\w+ \w+)\b|dès que\b|quand (?:le|la|les|il|elle)\b"
            ),
        ),
        "hypothetical": (
            (
                r"supposons\b|imaginons\b|imagine\b|et si\b|je (?:pense à|songe à|réfléchis|me demande"
                r"|pourrais|devrais)\b|on pourrait\b|peut-être (?:que|qu')\b|que se passerait\b|à supposer\b"
            ),
        ),
        "reported": (
            (
                r"(?!je\b|j'|nous\b)(?:il|elle|on|mon \w+|ma \w+|le \w+|la \w+|[\w-]+) (?:m'|nous |me )?(?:a"
                r"|ont|avait) (?:dit|demandé|écrit|proposé|suggéré|prétendu)\b|(?:il|elle|[\w-]+|mon \w+"
                r"|ma \w+|le \w+|la \w+) (?:dit|demande|écrit|veut|voulait|prétend|pense) (?:que|qu'|de|si)\b"
                r"|selon \w+|apparemment\b|paraît-il\b"
            ),
        ),
        "past": (
            (
                r"(?:hier,? |la semaine dernière,? |le mois dernier,? )?(?:j'ai|tu as|il a|elle a|on a"
                r"|nous avons|vous avez|ils ont|elles ont|as-tu|avez-vous|a-t-on|a-t-il|a-t-elle|ai-je"
                r"|[\w'-]+ (?:a été|ont été|avait)|(?:la|le|les|l'|mon|ma|mes) ?[\w'-]+ (?:a|ont) (?:déjà "
                r"|été )*)(?! besoin| envie)(?: (?:déjà|bien|tout|été|pas|encore))* ?[\w'à-ÿ-]+"
            ),
        ),
        "plan": (r"je (?:vais|ferai) ",),
        "transformation": (
            (
                r"(?:traduis|traduisez|traduire|résume|résumez|résumer|reformule|reformulez|corrige|corrigez"
                r"|écris|écrivez|rédige|rédigez|compose)\b(?:-moi)?"
            ),
        ),
        "sarcasm": (r"bravo[,!]? (?:vraiment|encore)|génial,? (?:encore|il ne manquait)",),
        "lookup": (r"(?:quel|quelle|quels|quelles|qui|quand|où|combien|est-ce|y a-t-il|que|qu'est-ce)\b",),
    },
    "spanish": {
        "capability": (
            (
                r"¿? ?qué (?:puedes|sabes|puede usted)\b|¿? ?(?:eres|es usted) capaz\b|¿? ?(?:sabes"
                r"|sabe usted) \w+[aei]r\b|¿? ?en qué (?:puedes|me puedes)\b|¿? ?qué (?:funciones|acciones"
                r"|comandos)\b"
            ),
        ),
        "how-to": (
            (
                r"¿? ?cómo (?:puedo|se|hago|debo|podría|funciona|puede|hacer|\w+o\b|\w+[aei]r\b)"
                r"|¿? ?dónde (?:puedo|debo|se)\b|(?:explica|explícame|describe|dime cómo|enséñame)\b"
                r"|¿? ?cuál es (?:el procedimiento|el proceso|la forma|la manera)\b|¿? ?qué pasos\b"
            ),
        ),
        "why": (r"¿? ?por qué\b",),
        "explanation": (
            (
                r"¿? ?qué (?:es|son|significa|pasa|sucede|hace|quiere decir|ocurre)\b"
                r"|¿? ?cuál es la diferencia\b|¿? ?para qué (?:sirve|es)\b"
            ),
        ),
        "advice": (
            (
                r"¿? ?(?:debería|deberíamos|debo|tengo que|hay que|se puede|es (?:seguro|posible|necesario"
                r"|mejor|peligroso|recomendable)|hay (?:algún riesgo|alguna forma|una forma|algún coste)"
                r"|quién (?:puede|debe)|cuánto (?:tarda|tiempo))\b"
            ),
        ),
        "negation": (
            (
                r"no (?!olvides|olvide|dudes|dude|te olvides|se olvide|tardes|dejes de)(?:me |te |le |lo |la "
                r"|se |nos |les )?[a-záéíóúñ]{3,}(?:es|as|e|a|en|an|éis|ar|er|ir)\b|no (?:quiero|necesito"
                r"|hace falta|hay que|deberías|debes)\b|en (?:vez|lugar) de\b|nunca\b|jamás\b|deja (?:de|eso"
                r"|así)\b"
            ),
        ),
        "condition": (r"si (?!no te importa|puedes|es posible|puede)\w+|cuando (?:el|la|los|las|se)\b",),
        "hypothetical": (
            (
                r"supongamos\b|imagina\b|imaginemos\b|¿? ?y si\b|estoy pensando\b|estamos pensando\b|quizás?\b"
                r"|tal vez\b|podría(?:mos)? \b|¿? ?qué pasaría\b"
            ),
        ),
        "reported": (
            (
                r"(?:él |ella |mi \w+ |el \w+ |la \w+ |\w+ )(?:me |nos )?(?:dijo|dice|pidió|pide|preguntó"
                r"|escribió|ha dicho|sugirió|quería|quiere|ha pedido)\b(?: que| si|:|,)|según \w+|al parecer\b"
                r"|por lo visto\b"
            ),
        ),
        "past": (
            (
                r"¿? ?(?:ayer |anoche |la semana pasada |el mes pasado |ya )?(?:yo |nosotros |él "
                r"|ella )?(?:ya )?(?:he|has|ha|hemos|han|había|habíamos|fue|fueron) (?:sido )?\w+(?:ado|ada"
                r"|ados|adas|ido|ida|idos|idas|cho|to|sto)\b|(?:ayer|anoche|la semana pasada"
                r"|el mes pasado) \w+(?:é|í|amos|imos|ó|aron|ieron)\b|(?:yo )?ya \w+(?:é|í|amos|imos|ó)\b"
                r"|(?!qu|y |s)\w{3,}(?:é|aste|iste) (?:el|la|los|las|una?|mi|a)\b"
            ),
        ),
        "plan": (r"(?:voy|vamos) a ",),
        "transformation": (
            (
                r"(?:traduce|traduzca|traducir|resume|resuma|resumir|reformula|corrige|escribe|escríbeme"
                r"|redacta|redáctame|compón)\b"
            ),
        ),
        "lookup": (
            (
                r"¿? ?(?:qué|cuál|cuáles|quién|cuándo|dónde|cuánto|cuánta|cuántos|cuántas|hay|está|están"
                r"|cómo está)\b"
            ),
        ),
    },
    "italian": {
        "capability": (
            (
                r"(?:che )?cosa (?:puoi|sai|può) fare\b|che cosa (?:puoi|sai)\b|sei (?:in grado|capace)\b"
                r"|sai \w+[aei]re\b|quali (?:funzioni|azioni|comandi)\b|in cosa puoi\b"
            ),
        ),
        "how-to": (
            (
                r"come (?:posso|si|faccio|devo|potrei|funziona|può|fare|\w+[aei]re\b)|dove (?:posso|devo|si)\b"
                r"|(?:spiega|spiegami|descrivi|dimmi come|insegnami)\b|qual è (?:la procedura|il modo)\b"
                r"|quali passi\b"
            ),
        ),
        "why": (r"(?:perch[eé]|come mai)\b",),
        "explanation": (
            (
                r"(?:che )?cos(?:'è|a è|a sono|a significa|a succede|a vuol dire|a fa|a accade)\b"
                r"|che (?:significa|succede|vuol dire)\b|qual è la differenza\b|a (?:che )?cosa serve\b"
            ),
        ),
        "advice": (
            (
                r"(?:dovrei|dovremmo|devo|bisogna|si può|è (?:sicuro|possibile|necessario|meglio|pericoloso"
                r"|consigliabile|permesso)|c'è (?:un rischio|un modo|un costo)|chi (?:può|deve)"
                r"|quanto (?:ci vuole|tempo))\b"
            ),
        ),
        "negation": (
            (
                r"non (?!dimenticare|dimenticarti|dimentichi|esitare|scordare|scordarti|mancare)(?:mi |ti |lo "
                r"|la |si |ci |li )?[a-zàèéìòù]{3,}\b|invece di\b|mai\b|lascia (?:stare|perdere)\b"
            ),
        ),
        "condition": (r"se (?!possibile|puoi|non ti dispiace|può)\w+|quando (?:il|la|lo|i|le|si)\b",),
        "hypothetical": (
            (
                r"supponiamo\b|immagina\b|immaginiamo\b|e se\b|sto pensando\b|stiamo pensando\b|forse\b"
                r"|magari\b|cosa succederebbe\b"
            ),
        ),
        "reported": (
            (
                r"(?:lui |lei |il mio \w+ |la mia \w+ |il \w+ |la \w+ |\w+ )(?:mi |ci )?(?:ha detto|dice"
                r"|ha chiesto|chiede|ha scritto|ha suggerito|voleva|vuole)\b(?: che| di| se|:|,)|secondo \w+"
                r"|a quanto pare\b"
            ),
        ),
        "past": (
            (
                r"(?:ieri |la settimana scorsa |il mese scorso )?(?:io |noi |lui |lei )?(?:ho|hai|ha|abbiamo"
                r"|avete|hanno|avevo|avevamo|è stat[oa]|sono stat[ie])(?! bisogno| voglia) (?:già |appena "
                r"|anche )?\w+(?:ato|ata|ati|ate|uto|ito|iti|so|sso|tto|rto|sto)\b"
            ),
        ),
        "plan": (r"(?:sto per|ho intenzione) ",),
        "transformation": (
            (
                r"(?:traduci|traduca|tradurre|riassumi|riassumere|riformula|correggi|scrivi|scrivimi|redigi"
                r"|componi)\b"
            ),
        ),
        "lookup": (r"(?:quale|quali|qual|chi|quando|dove|quanto|quanta|quanti|quante|c'è|ci sono|che)\b",),
    },
}
"""What a clause does when it begins so, by language."""
