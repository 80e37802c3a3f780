"""Skill texts that speak to the model about itself, instead of telling how something is done.

Such a skill is kept as it is and shown, but stays a draft until a curator has read and activated
it: a fence holds orders off, a person decides whether they belong there at all.
"""

import re

from memory.domain.encoding import is_suspicious
from memory.domain.text import as_seen, holds_hidden
from skills.domain.types import SkillText

_CHUNK = 6_000  # of what `is_suspicious` reads at once
_OVERLAP = 400

# What a way of doing something has no need to say. Each with the words that tell a curator why.
_ABOUT_THE_MODEL = re.compile(
    r"\b(?:you are|you're|act as|as) (?:an?|the|my|our|now) (?:\w+ ){0,3}(?:ai|a\.i\.|llm|assistant"
    r"|chat ?bot"
    r"|language model|gpt\w*|claude|agent)\b"
    r"|\byour (?:system prompt|instructions?|guidelines?|rules|persona|training|safety|guardrails"
    r"|restrictions?)\b"
    r"|\b(?:from now on|in (?:all|every) (?:future )?(?:answer|reply|repl|conversation|message)s?)\b.{0,60}"
    r"\b(?:always|never|must|answer|reply|say|begin|end)\b"
    r"|\bdu bist (?:jetzt )?(?:ein|eine|der|die) (?:\w+ ){0,2}(?:ki|assistent\w*|sprachmodell)\b"
    r"|\bты (?:теперь )?(?:\w+ ){0,2}(?:ии|ассистент|помощник|языковая модель)\b"
    r"|你是(?:一个)?.{0,6}(?:助手|模型|AI)"
    r"|\btu es (?:maintenant |désormais )?une? (?:\w+ ){0,2}(?:ia|assistante?|modèle)\b"
    r"|\beres (?:ahora )?una? (?:\w+ ){0,2}(?:ia|asistente|modelo)\b"
    r"|\bsei (?:ora |adesso )?un[a'’]? ?(?:\w+ ){0,2}(?:ia|assistente|modello)\b"
    r"|\b(?:você|tu) (?:agora )?(?:é|és) (?:agora )?uma? (?:\w+ ){0,2}(?:ia|assistente|modelo)\b"
    r"|あなたは.{0,12}(?:アシスタント|AI|モデル)|(?:당신은|너는).{0,12}(?:어시스턴트|AI|모델)"
    r"|أنت (?:الآن )?(?:مساعد|نموذج)",
    re.IGNORECASE,
)
_BEHIND_BACKS = re.compile(
    r"\b(?:without|don'?t|do not|never) (?:\w+ ){0,2}(?:ask(?:ing)?|tell(?:ing)?|inform(?:ing)?"
    r"|mention(?:ing)?"
    r"|notify(?:ing)?|confirm(?:ing|ation)?|permission|approval)\b.{0,30}"
    r"\b(?:user|human|person|anyone|owner|them|confirmation|permission|approval|it)\b"
    r"|\bskip (?:all |any |the )?(?:confirmation|permission|safety|security|review|approval)s?\b"
    r"|\bwithout (?:\w+(?:['’]s)? ){1,3}(?:knowledge|knowing|noticing|consent)\b"
    r"|\b(?:hide|conceal|keep) (?:this|it|that|these) (?:\w+ )?(?:from|secret)\b",
    re.IGNORECASE,
)

# Latin and Cyrillic in one word: no language writes so, and no cue above would be found in it.
_TWO_ALPHABETS = re.compile(r"[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")

ORDERS = "It reads like an order to the model."
ABOUT_THE_MODEL = "It speaks of the model and its rules."
BEHIND_BACKS = "It wants something done without asking or telling the person."
HIDDEN = "It holds characters that nobody sees, or that turn its reading round."
LOOK_ALIKES = "It spells words with letters of two alphabets that look alike."


def why_flagged(text: SkillText) -> str:
    """Why a curator should read it first, in a sentence; empty for a text that only tells how."""
    said = "\n".join((text.intent, *text.preconditions, *text.tools, text.doc_markdown))
    if holds_hidden(said):
        return HIDDEN
    whole = as_seen(said)
    if any(is_suspicious(whole[at : at + _CHUNK]) for at in range(0, len(whole), _CHUNK - _OVERLAP)):
        return ORDERS
    if _ABOUT_THE_MODEL.search(whole):
        return ABOUT_THE_MODEL
    if _BEHIND_BACKS.search(whole):
        return BEHIND_BACKS
    return LOOK_ALIKES if _TWO_ALPHABETS.search(whole) else ""
