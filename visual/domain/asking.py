"""Whether a question asks to see images, and which: in the languages that the rules of the planner speak.

The words by which people speak of images and of showing them, and the words around these, which tell
nothing of which image is meant; by language, as one language's filler is another's son.
"""

import re

from memory.domain.text import fold, is_stop_word, is_unspaced, search_terms, words

_SHOWN = {
    "en": "show showed shown shows picture pictures photo photos photograph photographs image images"
    " pic pics screenshot screenshots",
    "de": "zeig zeige zeigen zeigte gezeigt bild bilder bildern foto fotos aufnahme aufnahmen"
    " bildschirmfoto bildschirmfotos screenshot screenshots",
    "fr": "montre montres montrer montrez montré image images photo photos capture captures",
    "es": "muestra muéstrame mostré mostrado mostrar enseñé enseñado foto fotos imagen imágenes captura"
    " capturas",
    "it": "mostra mostrami mostrare mostrato foto immagine immagini schermata schermate",
    "pt": "mostra mostre mostrar mostrei mostrado foto fotos imagem imagens captura capturas",
    "nl": "toon tonen getoond foto foto's afbeelding afbeeldingen plaatje plaatjes schermafbeelding"
    " schermafbeeldingen laten",
    "pl": "pokaż pokazać pokazałem pokazałam pokazywałem pokazywałam zdjęcie zdjęcia zdjęć obraz obrazy"
    " obrazek obrazki zrzut zrzuty",
    "ru": "покажи покажите показать показал показала показывал показывала фото фотография фотографии"
    " фотографий фотки картинка картинки картинку картинок изображение изображения скриншот"
    " скриншоты",
    "uk": "покажи покажіть показати показав показала показував показувала фото фотографія фотографії"
    " картинка картинки зображення скриншот скриншоти",
    "tr": "göster gösterdim göstermiştim gösterir foto fotoğraf fotoğraflar fotoğrafları fotoğraflarım"
    " fotoğraflarımı resim resimler resimleri resimlerim resimlerimi görsel görseller görselleri",
    "ar": "أرني أريتك أظهرت عرضت صورة صور الصور الصورة صوري",
    "hi": "दिखाओ दिखाइए दिखाया दिखाई दिखाए तस्वीर तस्वीरें फोटो फ़ोटो चित्र",
}
_AROUND = {
    "en": "see look like find give list tell me my mine last latest recent newest ever already please"
    " share shared send sent upload uploaded",
    "de": "was welche welches welchen welcher habe hab hast ich du dir euch ihnen mir meine meinen mein"
    " die das der den alle sind es gibt von zuletzt schon mal bitte letzten letzte neuesten"
    " neueste an sehen geschickt hochgeladen",
    "fr": "qu que quoi quelles quelle quels quel est ce je tu t vous te ai as a moi mes mon ma les la"
    " le l des d de toutes y il elles ils sont déjà dernières dernière derniers s plait avez"
    " envoyé partagé",
    "es": "qué cuáles cuál que yo tú te le he has me mis mi las la los el unas una de todas todos hay"
    " tienes ya últimas última por favor envié enviado",
    "it": "cosa che quali quale io tu ti ho hai mi mie mia miei le la l i il un una di tutte tutti ci"
    " sono già ultime ultima per favore ha mandato inviato",
    "pt": "o que quais qual é eu tu te lhe você já tenho tens tem me minhas minha as a os um uma de"
    " todas todos há últimas última por favor foi enviei enviado",
    "nl": "wat welke heb hebt ik je jou u mij me mijn de het een alle zien zijn er van al laatste"
    " alsjeblieft gestuurd",
    "pl": "co jakie jakich które ci tobie wam mi moje moich te wszystkie masz są już ostatnie ostatnio"
    " proszę wysłałem wysłałam",
    "ru": "что чем какие какую какое какой я ты тебе вам мне мои мою мой моих все есть у тебя меня уже"
    " последние последнюю пожалуйста прислал прислала отправил отправила",
    "uk": "що які яку яке який я ти тобі вам мені мої мою мій моїх усі всі є у тебе мене вже останні"
    " останню будь ласка надіслав надіслала",
    "tr": "ne neler neyi hangi sana size bana ben benim var son bütün tüm daha önce lütfen mi gönderdim",
    "ar": "ماذا ما التي الذي لك لكم لي أنا هي كل من قبل كلها فضلك أي أرسلت",
    "hi": "मैंने मैं तुम्हें तुमको आपको मुझे मेरी मेरे क्या कौन सी सा से था थी थे है हैं सब सभी पहले को कृपया भेजा भेजी भेजे",
}
# Of scripts that put no spaces between words.
_SHOWN_UNSPACED = (
    "给你看过 给您看过 给你看 给您看 展示 出示 照片 相片 图片 图像 截图 图 相册"
    " 見せて 見せた 見せました 見せ 写真 画像 スクリーンショット スクショ"
    " 보여줬 보여줘 보여준 보여주 사진 이미지 그림 스크린샷"
)
_AROUND_UNSPACED = (
    "什么 哪些 哪几 我 你 您 给 的 过 了 看 看看 有 吗 呢 请 让 那 些 张 都 里"
    " 最近 所有 吧 把 曾 经 是 想 发"
    " 何 どんな どの 私 わたし 僕 あなた に が は を の か たっけ ました っけ"
    " です た ください 全部 送った"
    " 뭘 무엇 무슨 어떤 내가 제가 나 너 네게 너에게 당신 에게 한테 지 죠 을 를"
    " 이 가 은 는 모든 요 니 나요 었 었지 었나요 줘 주세요 최근 내 제 보냈 보낸"
)
# Stems that a question for one image is not searched by; those of other languages are no English words.
_TO_SEE = frozenset(
    term
    for line in ("see look like find", *_SHOWN.values())
    for term in search_terms(line)
    if term not in {"captur", "laten", "toon"}
)


def asked_terms(text: str) -> tuple[str, ...]:
    """The search terms of a question for images: that it asks to see one tells nothing of which."""
    named = _UNSPACED_NAMES.sub(" ", fold(text)) if not text.isascii() else text
    terms = tuple(term for term in search_terms(named) if term not in _TO_SEE)
    return terms or tuple(search_terms(text))


def asks_for_any(text: str) -> bool:
    """Whether a question is of images and tells nothing of which: "What did I show you?"."""
    said = words(text)
    if any(map(is_unspaced, said)):
        rest, shown = _UNSPACED_SHOWN.subn(" ", " ".join(said))
        return shown > 0 and not _UNSPACED_AROUND.sub(" ", rest).strip()
    return any(_is_any(said, language) for language in _SHOWN)


def _is_any(said: list[str], language: str) -> bool:
    rest = [word for word in said if word not in _WORDS[language]]
    is_filler = is_stop_word if language == "en" else _FILLERS[language].__contains__
    return len(rest) < len(said) and all(is_filler(word) or word in _FILLERS[language] for word in rest)


def _any_of(parts: str, *, least: int = 1) -> "re.Pattern[str]":
    """What matches any of the parts, the longest first."""
    folded = sorted({fold(part) for part in parts.split() if len(part) >= least}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, folded)))


_WORDS = {language: frozenset(words(line)) for language, line in _SHOWN.items()}
_FILLERS = {language: frozenset(words(line)) for language, line in _AROUND.items()}
_UNSPACED_SHOWN, _UNSPACED_AROUND = _any_of(_SHOWN_UNSPACED), _any_of(_AROUND_UNSPACED)
_UNSPACED_NAMES = _any_of(_SHOWN_UNSPACED, least=2)
