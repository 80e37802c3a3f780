"""What makes two statements one: the record's hash, its normal form, and its suspicion.

docs/algorithms/encoding.md tells when a statement said again adds evidence and when it
makes a new record.
"""

import hashlib
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

from memory.domain.text import as_seen, fold, holds_hidden, normalize, search_terms, words
from memory.domain.types import EncodedRecord, Encoding, MemoryType, Temporal

# Orders to a model, as people plant them in documents and messages.
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|"
    r"your|these|any|system|safety)\b"
    r".{0,40}\b(?:instruction|prompt|rule|direction|guideline|message|context|filter|restriction)s?\b"
    r"|\b(?:system|developer|assistant)\s?(?:prompt|message|instruction)s?\b.{0,30}\b(?:reveal|print|"
    r"show|override|is now|says?)\b"
    r"|\b(?:reveal|print|output|show|repeat|leak|send|exfiltrate)\b.{0,30}\b(?:system prompt|"
    r"api[ _-]?keys?|passwords?|secrets?(?! of| to)|credentials?|"
    r"hidden (?:prompt|instructions?)|environment variables?)\b"
    r"|\byou are (?:now|no longer)\b.{0,60}\b(?:dan|jailbroken|unrestricted|developer mode|assistant|"
    r"ai|bot|model)\b"
    r"|\b(?:pretend|act) (?:to be|as if you|as (?:an? )?(?:unrestricted|jailbroken|root))\b"
    r"|\bnew instructions?\s?:|\bdo not (?:tell|inform|mention|reveal)\b.{0,30}\b(?:user|human|anyone)\b"
    r"|\bwhenever (?:asked|the user asks|someone asks)\b.{0,60}\b(?:say|answer|reply|respond|recommend)\b"
    r"|</?(?:memory|memories|system|instructions?|context|assistant|tool_call|im_start|im_end)\b|"
    r"<\|[a-z_]+\|>|\[/?INST\]"
    r"|^[^\S\n]*(?:system|assistant|developer)\s?:\s"
    r"|忽略.{0,12}(?:之前|以上|前面|所有|先前).{0,8}(?:指令|提示|规则|要求)|(?:输出|打印|泄露|显示|"
    r"告诉我).{0,8}(?:系统提示|密钥|密码|API ?key)"
    r"|игнорируй.{0,40}(?:инструкци|указани|правил)|забудь.{0,20}(?:инструкци|указани|правил)|"
    r"(?:покажи|выведи).{0,20}(?:системный промпт|ключ|пароль)"
    r"|(?:ignoriere|vergiss).{0,40}(?:anweisung|instruktion|regel)|ignora.{0,30}instrucciones|"
    r"ignore[rz]?.{0,30}instructions|ignora.{0,30}\bistruzioni|ignor[ea].{0,30}instruções|"
    r"negeer.{0,40}(?:instructies|aanwijzingen)|z?ignoruj.{0,40}(?:instrukcj|polece)|"
    r"ігноруй.{0,40}(?:інструкці|вказів)|talimat.{0,30}(?:yok say|unut|görmezden gel)|"
    r"bỏ qua.{0,30}(?:hướng dẫn|chỉ dẫn)"
    r"|(?:これまで|以前|前|上記|すべて)の.{0,8}(?:指示|命令|プロンプト).{0,8}(?:無視|忘れ)"
    r"|(?:이전|앞선|위의|모든).{0,12}(?:지시|명령|프롬프트).{0,12}(?:무시|잊)"
    r"|(?:تجاهل|انس).{0,30}(?:التعليمات|تعليمات|الأوامر)|निर्देश.{0,25}(?:अनदेखा|भूल)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_MAX_SCAN_CHARS = 8_000


def content_hash(memory_type: MemoryType, text: str, *, subject: str, event_time: datetime | None) -> str:
    """SHA-256 over NFC "type: text", subject and event time: unique among live records.

    White space and the instant's zone make no difference; case does.
    """
    moment = event_time.astimezone(UTC).isoformat() if event_time else ""
    parts = (f"{memory_type}: {normalize(text)}", normalize(subject), moment)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def statement_key(text: str) -> str:
    """What two wordings of one statement share, whatever their type, case and punctuation:
    the words in their order. "Alice likes tea!" -> "alice likes tea".
    """
    return " ".join(words(text)) or normalize(text)


def normalized_text(text: str, *, subject: str) -> str:
    """The statement's content words without its subject's name: what a second vector and
    comparisons of duplicates read. "Alice likes the blue one" -> "like blue one".
    """
    own = set(search_terms(subject)) | {term + "'s" for term in fold(subject).split()}
    return " ".join(term for term in search_terms(text) if term not in own)


def summarised(encoding: Encoding) -> Encoding:
    """One record in place of all: their statements as one text, without slot and time.

    Its subject is whom most are about, its evidence all of theirs. What an assistant alone
    claimed is left out unless there is nothing else.
    """
    own = [record for record in encoding.records if record.is_confirmed] or list(encoding.records)
    if not own:
        return encoding
    subject, _ = Counter(record.subject for record in own).most_common(1)[0]
    summary = EncodedRecord(
        memory_type=own[0].memory_type,
        semantic_text=" ".join(record.semantic_text for record in own),
        subject=subject,
        evidence_turns=tuple(sorted({turn for record in own for turn in record.evidence_turns})),
        entities=tuple(dict.fromkeys(name for record in own for name in record.entities)),
        topics=tuple(dict.fromkeys(topic for record in own for topic in record.topics)),
        temporal=Temporal(ref=own[0].temporal.ref),
        source_role=own[0].source_role,
        is_confirmed=own[0].is_confirmed,
        confidence=min(record.confidence for record in own),
        relations=tuple(dict.fromkeys(each for record in own for each in record.relations)),
    )
    return replace(encoding, records=(summary,))


def is_suspicious(text: str) -> bool:
    """Whether the text reads like an order to a model, or hides what it says; it stays quoted data
    either way.
    """
    beginning = text[:_MAX_SCAN_CHARS]
    return holds_hidden(beginning) or _ORDERS.search(as_seen(beginning)) is not None
