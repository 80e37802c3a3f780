"""The few sentences that the offline engine says itself, by language; English for the rest."""

import re
from datetime import date

_PHRASES: dict[str, dict[str, str]] = {
    "nothing": {
        "en": "I have nothing stored about that yet.",
        "de": "Dazu habe ich noch nichts gespeichert.",
        "ru": "Об этом у меня пока ничего не сохранено.",
        "zh": "关于这一点，我还没有存储任何内容。",
        "ja": "それについては、まだ何も保存されていません。",
        "ko": "그것에 대해 아직 저장된 내용이 없습니다.",
        "es": "Todavía no tengo nada guardado sobre eso.",
        "fr": "Je n'ai encore rien enregistré à ce sujet.",
        "it": "Non ho ancora nulla di salvato su questo.",
        "pt": "Ainda não tenho nada guardado sobre isso.",
    },
    "closest": {
        "en": "I have no direct answer; the closest I remember:",
        "de": "Eine direkte Antwort habe ich nicht; am nächsten kommt:",
        "ru": "Прямого ответа нет; ближе всего вот что:",
        "zh": "我没有直接的答案，最接近的记忆是：",
        "ja": "直接の答えはありませんが、一番近い記憶は：",
        "ko": "직접적인 답은 없지만 가장 가까운 기억은:",
        "es": "No tengo una respuesta directa; lo más cercano que recuerdo:",
        "fr": "Je n'ai pas de réponse directe ; le plus proche :",
    },
    "noted": {
        "en": "Noted: {text}",
        "de": "Notiert: {text}",
        "ru": "Записал: {text}",
        "zh": "记下了：{text}",
        "ja": "メモしました：{text}",
        "ko": "기억할게요: {text}",
        "es": "Anotado: {text}",
        "fr": "C'est noté : {text}",
        "it": "Annotato: {text}",
        "pt": "Anotado: {text}",
    },
    "related": {
        "en": "Related: {text}",
        "de": "Dazu passt: {text}",
        "ru": "Связано с этим: {text}",
        "zh": "相关记忆：{text}",
        "ja": "関連する記憶：{text}",
        "ko": "관련 기억: {text}",
        "es": "Relacionado: {text}",
        "fr": "À ce sujet : {text}",
    },
    "hello": {
        "en": "Hello! Tell me something to remember, or ask me about what you have told me.",
        "de": "Hallo! Erzähl mir etwas, das ich mir merken soll, oder frag mich danach.",
        "ru": "Здравствуйте! Расскажите, что запомнить, или спросите о том, что уже рассказали.",
        "zh": "你好！告诉我需要记住的事，或者问我你说过的事。",
        "ja": "こんにちは！覚えてほしいことを話すか、以前話したことを聞いてください。",
        "ko": "안녕하세요! 기억할 것을 말하거나 말했던 것을 물어보세요.",
        "es": "¡Hola! Cuéntame algo que deba recordar o pregúntame por lo que me contaste.",
        "fr": "Bonjour ! Dites-moi ce que je dois retenir, ou demandez-moi ce que vous m'avez dit.",
    },
    "thanks": {
        "en": "You're welcome.",
        "de": "Gern geschehen.",
        "ru": "Пожалуйста.",
        "zh": "不客气。",
        "ja": "どういたしまして。",
        "ko": "천만에요.",
        "es": "De nada.",
        "fr": "Je vous en prie.",
    },
    "bye": {
        "en": "Goodbye!",
        "de": "Auf Wiedersehen!",
        "ru": "До свидания!",
        "zh": "再见！",
        "ja": "さようなら！",
        "ko": "안녕히 가세요!",
        "es": "¡Hasta luego!",
        "fr": "Au revoir !",
    },
    "okay": {
        "en": "All right.",
        "de": "In Ordnung.",
        "ru": "Хорошо.",
        "zh": "好的。",
        "ja": "わかりました。",
        "ko": "알겠습니다.",
        "es": "De acuerdo.",
        "fr": "D'accord.",
    },
    "self": {
        "en": "I am the memory of this space: I keep what is said here and answer from it, with its sources.",
        "de": "Ich bin das Gedächtnis dieses Bereichs: Ich bewahre, was hier gesagt wird, und "
        "antworte daraus mit Belegen.",
        "ru": "Я память этого пространства: храню сказанное и отвечаю по нему, указывая источники.",
        "zh": "我是这个空间的记忆：保存这里说过的话，并据此带出处地回答。",
        "ja": "私はこのスペースの記憶です。ここで話されたことを保存し、出典とともに答えます。",
        "es": "Soy la memoria de este espacio: guardo lo que se dice aquí y respondo con sus fuentes.",
        "fr": "Je suis la mémoire de cet espace : je garde ce qui s'y dit et réponds avec les sources.",
    },
}
_OWN = re.compile(
    "|".join(
        re.escape(sentence.strip())
        for forms in _PHRASES.values()
        for form in forms.values()
        for sentence in re.split(r"(?<=[.!?])\s|\{text\}|(?<=[。！])", form)
        if sentence.strip()
    )
)
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
_DAY_FORMS = {
    "de": "{day}. {month} {year}",
    "ru": "{day} {month} {year} г.",
    "es": "{day} de {month} de {year}",
}


def phrase(key: str, language: str, *, text: str = "") -> str:
    """The phrase in the language, or in English. `text` fills its place."""
    forms = _PHRASES[key]
    return forms.get(language, forms["en"]).replace("{text}", text)


def is_own_phrase(sentence: str) -> bool:
    """Whether the sentence is, or begins as, one of the engine's own."""
    return _OWN.match(sentence) is not None


def show_day(day: date, language: str) -> str:
    """The day as the language writes it: "7 May 2023", "2023年5月7日"."""
    if language in ("zh", "ja"):
        return f"{day.year}年{day.month}月{day.day}日"
    if language not in _MONTHS:
        return day.isoformat()
    form = _DAY_FORMS.get(language, "{day} {month} {year}")
    return form.format(day=day.day, month=_MONTHS[language].split()[day.month - 1], year=day.year)


def show_month(day: date, language: str) -> str:
    """The month: "May 2023"; the ISO form where month names bend with their case."""
    if language in ("zh", "ja"):
        return f"{day.year}年{day.month}月"
    if language in ("en", "de", "es", "fr"):
        return f"{_MONTHS[language].split()[day.month - 1]} {day.year}"
    return f"{day:%Y-%m}"
