r"""Text in, the same text with every secret span as `[redacted: kind]` out.

Runs at every door before a row is written (docs/algorithms/encoding.md). Two sorts
of rule: shapes that betray themselves (a vendor's key, a JWT, a card number) and
values that a word before them gives away ("password is", 密码是, пароль). Borders
are ASCII borders, because a key beside a Chinese character has no `\b`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

_LEFT = r"(?<![A-Za-z0-9_])"
_RIGHT = r"(?![A-Za-z0-9_])"


@dataclass(frozen=True, slots=True)
class _Rule:
    """One shape of secret. Group `s` is the span to hide, else the whole match."""

    kind: str
    pattern: re.Pattern[str]
    accepts: Callable[[str, str], bool] = lambda _value, _rest: True


def _any_of(*shapes: str) -> re.Pattern[str]:
    return re.compile(_LEFT + "(?:" + "|".join(shapes) + ")" + _RIGHT)


_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9 ]{0,30})PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]|-(?!----)){0,20000}(?:-----END (?:[A-Z0-9 ]{0,30})PRIVATE KEY(?: BLOCK)?-----)?"
)

_API_KEYS = _any_of(
    r"sk-(?:proj-|ant-|svcacct-|admin-|or-v1-|lf-)?[A-Za-z0-9_-]{16,}",
    r"sk-(?=[A-Za-z0-9_-]{0,15}[0-9])[A-Za-z0-9_-]{6,}",
    r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}",
    r"whsec_[A-Za-z0-9+/=]{16,}",
    r"lyk_[A-Za-z0-9]{2,}_[A-Za-z0-9_-]{8,}",
    r"gh[pousr]_[A-Za-z0-9]{20,}",
    r"github_pat_[A-Za-z0-9_]{20,}",
    r"gl(?:pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{16,}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"xapp-\d-[A-Za-z0-9-]{10,}",
    r"AIza[A-Za-z0-9_-]{30,}",
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"GOCSPX-[A-Za-z0-9_-]{20,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"(?:AC|SK)[0-9a-f]{32}",
    r"hf_[A-Za-z0-9]{20,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[A-Za-z0-9_-]{30,}",
    r"(?:gsk|xai|r8|pplx|nvapi|tvly|fw|csk|jina|voyage|dapi)[-_][A-Za-z0-9_-]{24,}",
    r"do[opr]_v1_[a-f0-9]{32,}",
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}",
    r"sq0[a-z]{3}-[A-Za-z0-9_-]{20,}",
    r"lin_api_[A-Za-z0-9]{30,}",
    r"(?:ntn|secret)_[A-Za-z0-9]{36,}",
    r"glsa_[A-Za-z0-9_]{30,}",
    r"dckr_pat_[A-Za-z0-9_-]{20,}",
    r"key-[0-9a-f]{32}",
    r"\d{8,10}:AA[A-Za-z0-9_-]{30,}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{40,}",
    r"LTAI[A-Za-z0-9]{12,}",
    r"AKID[A-Za-z0-9]{13,}",
)
_AWS_KEYS = _any_of(r"(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ABIA|ACCA)[A-Z0-9]{16}")
_JWT = _any_of(r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{0,2000})?")
_WEBHOOK = re.compile(
    r"https://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/(?P<s>[A-Za-z0-9/_-]{20,})"
)
_BEARER = re.compile(_LEFT + r"(?i:bearer|basic)\s{1,3}(?P<s>[A-Za-z0-9._~+/=-]{12,})")
_URL_PASSWORD = re.compile(r"(?i:[a-z][a-z0-9+.-]{1,20})://[^\s/:@]{0,100}:(?P<s>[^\s/:@]{3,200})@(?=[\w\[])")

_QUOTED = (
    r"(?:\"[^\"\n]{3,120}\"|'[^'\n]{3,120}'|`[^`\n]{3,120}`"
    r"|“[^”\n]{3,120}”|「[^」\n]{3,120}」|«[^»\n]{3,120}»)"
)
_BARE = r"[^\s,;،؛，；。、！？「」“”\"'`<>()（）\[\]\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]{3,120}"
_VALUE = rf"(?P<s>{_QUOTED}|(?!\[redacted){_BARE})"

_ACCESS_WORDS = (
    r"(?:api|access|secret|auth|private|account|client|master|encryption|refresh|bot|personal[ _-]?access)"
    r"[ _-]?(?:api[ _-]?)?(?:key|token|secret)|aws_secret_access_key|secret[ _-]?access[ _-]?key"
    r"|api[- ]?schl(?:ü|ue)ssel|zugangsschl(?:ü|ue)ssel|cl(?:é|e) (?:api|secr(?:è|e)te)"
    r"|clave (?:api|secreta)|ключ api|api[- ]?ключ|секретный ключ|токен"
)
_CJK_ACCESS_WORDS = r"密钥|密鑰|秘钥|私钥|令牌|访问令牌|API ?密钥|APIキー|秘密鍵|トークン|API ?키|토큰"
_LOGIN_WORDS = (
    r"passwords?|passwd|pwd|pass ?phrase|pass ?code|passwort|kennwort|mot de passe|contraseñ?a|"
    r"senha|parola(?: d'ordine| mea)?|wachtwoord|hasło|lösenord|şifre|парол[ья]|кодовое слово|"
    r"salasana|heslo|jelszó|passord|adgangskode|lozinka|mật khẩu|kata sandi(?: saya)?|κωδικός(?: πρόσβασης)?"
)
_CJK_LOGIN_WORDS = r"密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน"
_PIN_WORDS = r"pin(?:[ -]?code)?|cvv|cvc|пин(?:-?код)?|pin码"
_VERB = r"is|are|was|ist|lautet|war|est|es|é|era|—|–|-|это|->|to|auf|als"
# "Is" elsewhere, and other words in English or Spanish ("my password on Monday").
_OTHER_VERB = r"è|este|je|jest|är|er|on|là|adalah|είναι"
_IS = rf"(?:{_VERB}|:|=|：|=>)"
_CJK_IS = r"(?:(?:是|为|為|は|が|는|은|이|가|คือ|改成了?|改为|设为|设成)\s{0,2}[:：=]?|[:：=])"

# "the password for the office is …", but not "the password manager is …".
_OF_WHAT = (
    r"(?:\s(?i:for|to|of|on|in|at|from|zu|für|zum|vom|к|от|для|para|pour|de|del|da)"
    r"(?:\s[^\s.!?:=,]{1,20}){1,4}?)"
)

_ASSIGNED_TOKEN = re.compile(
    rf"{_LEFT}(?i:{_ACCESS_WORDS})[\"']?\s{{0,3}}(?:{_IS})\s{{0,3}}{_VALUE}", re.UNICODE
)
_ASSIGNED_CJK_TOKEN = re.compile(rf"(?i:{_CJK_ACCESS_WORDS})\s{{0,3}}{_CJK_IS}?\s{{0,3}}{_VALUE}")
_PASSWORD = re.compile(
    rf"(?<![^\W_])(?i:{_LOGIN_WORDS})[\"']?"
    rf"(?:{_OF_WHAT}?\s{{0,3}}(?i:{_VERB})\s{{1,3}}|{_OF_WHAT}\s{{0,3}}[:=：]\s{{0,3}}){_VALUE}"
)
_PASSWORD_SIGN = re.compile(
    rf"(?<![^\W_])(?i:{_LOGIN_WORDS})[\"']?(?:{_OF_WHAT}?\s{{1,3}}(?i:{_VERB}))?\s{{0,3}}[:=：]\s{{0,3}}{_VALUE}"
)
# "clave" is a key to a door, to a problem, and a password: only what no prose word looks like.
_LOOSE_PASSWORD = re.compile(
    rf"(?<![^\W_])(?i:(?:clave|código de acceso){_OF_WHAT}?\s{{0,3}}(?:(?:es|era)\s{{0,3}}:?|[:=])\s{{0,3}}"
    rf"|(?:{_LOGIN_WORDS}){_OF_WHAT}?\s(?:{_OTHER_VERB})\s{{0,3}}:?\s{{1,3}}){_VALUE}"
)
# "secret …" beside an access key: 20 characters and more that no word is made of.
_BARE_SECRET = re.compile(
    rf"{_LEFT}(?i:secret|token|key)[\"']?\s{{0,3}}(?:(?i:is|was)\s{{0,3}}:?|[:=]|)\s{{0,3}}"
    r"[\"'`]?(?P<s>[A-Za-z0-9/+_=-]{20,200})(?![A-Za-z0-9/+_=-])"
)
_SEED_PHRASE = re.compile(
    r"(?i:(?:seed|recovery|mnemonic|backup|secret) (?:phrase|words)|mnemonic)"
    r"\s{0,3}(?:(?i:is|are)\s{0,3}:?|[:=])\s{0,3}[\"'`]?(?P<s>(?:[a-z]{3,8}[ \n]){11,23}[a-z]{3,8})(?![a-z])"
)
_PASSWORD_NEXT = re.compile(rf"(?<![^\W_])(?i:{_LOGIN_WORDS})(?:\sот\s[^\s.!?:=,]{{1,20}})?\s{{1,2}}{_VALUE}")
_CJK_PASSWORD = re.compile(
    rf"(?:{_CJK_LOGIN_WORDS})"
    rf"(?:[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3 ]{{0,8}}?){_CJK_IS}?\s{{0,3}}{_VALUE}"
)
_OTHER_LOGIN_WORDS = (
    r"كلمة (?:ال)?(?:مرور|سر)ي?|(?:ال)?باسورد|الرقم السري|رمز الدخول|رمز عبور|گذرواژه|סיסמ(?:ה|א|ת)|पासवर्ड"
)
_OF_WHOM = r"(?:\s[\u0590-\u06ff\u0900-\u097f]{1,12}){0,4}?"
_OTHER_PASSWORD_SIGN = re.compile(rf"(?:{_OTHER_LOGIN_WORDS}){_OF_WHOM}\s{{0,3}}[:=：]\s{{0,3}}{_VALUE}")
_OTHER_PASSWORD = re.compile(
    rf"(?:{_OTHER_LOGIN_WORDS}){_OF_WHOM}\s{{1,3}}(?:هي|هو|היא|है)\s{{1,3}}(?=[!-~“«]){_VALUE}"
)
# "login: bob / …": the name stays, what follows it goes.
_LOGIN_PAIR = re.compile(
    r"(?<![^\W_])(?i:log-?ins?|sign-?in|user(?: ?name)?|credentials|creds|zugangsdaten|anmeldung"
    r"|usuario|identifiants?|логин|账号|帐号|用户名)\s{0,3}(?:[:=：是]|\b(?:is|are)\b)\s{0,3}"
    rf"(?!(?i:https?:|www\.))[^\s/|:,;]{{1,60}}(?:\s{{1,3}}[/|]\s{{1,3}}|:)(?!/){_VALUE}"
)
_PIN = re.compile(
    rf"(?<![^\W_])(?i:{_PIN_WORDS})\s{{0,3}}(?i:is|ist|est|es|:|=|：|是|—|-|это)?\s{{0,3}}(?P<s>\d{{3,8}})(?!\d)"
)
_CARD = re.compile(r"(?<![A-Za-z0-9+])(?<![\d][-. ])\d(?:[ -]?\d){12,18}(?![A-Za-z0-9])(?![-.]\d)")

# Words that follow "the password is" in talk about passwords.
_TALK_WORDS = """
    a about actually again all already also always an and any as at available back bad based been
    being better but by called changed changing compromised correct different displayed easy empty
    encrypted expired expiring fine for forgotten generated going good gone hard hashed here hidden
    important in incorrect insecure invalid it just known later leaked like long longer lost missing
    my necessary needed never new no not nothing now of old on one only our out public rejected
    required reset right safe same saved secret secure sent set shared short shown so still stored
    strong supposed that the their there this to too unknown unsafe updated used valid very weak
    what where which with working wrong your someone something what's needs must should falsch
    richtig abgelaufen nicht zu vergessen geheim sicher unsicher weg neu incorrecta faux incorrect
    out-of-date up-to-date end-to-end state-of-the-art
    perdu trop не неверный забыт истёк был будет слишком устарел
"""
_TALK = frozenset(_TALK_WORDS.split())


def _looks_random(value: str, _rest: str) -> bool:
    """A digit beside letters, or letters of both cases within the word: not prose."""
    has_digit = any(c.isdigit() for c in value)
    has_letter = any(c.isalpha() for c in value)
    return len(value) >= 8 and has_letter and (has_digit or (value != value.lower() and not value.istitle()))


def _is_key_like(value: str, _rest: str) -> bool:
    """Letters of both cases and digits: neither a word, nor a path, nor a name in code."""
    has = (str.isdigit, str.islower, str.isupper)
    return all(any(test(c) for c in value) for test in has)


def _unquote(value: str) -> str:
    return value.strip("\"'`“”「」«»")


def _is_password(value: str, rest: str) -> bool:
    """A quoted value, one that is no plain word, or a plain word that ends its clause."""
    core = _unquote(value).rstrip(".!?:")
    if value != _unquote(value):
        return True
    if len(core) < 3 or core.lower() in _TALK or core.startswith("[redacted"):
        return False
    if not core.isalpha():
        is_plain = core.replace("-", "").replace("'", "").replace("’", "").isalpha()
        return not is_plain or len(core) > 24 or core.count("-") > 1
    if core != core.lower() and not core.istitle():
        return True
    return value[-1] in ".!?" or not rest.strip() or rest.lstrip(" ")[0] in ".!?,;，；。！？\n)"


def _is_set_password(value: str, rest: str) -> bool:
    """After a colon or an equals sign any value counts that is neither talk nor code."""
    core = _unquote(value).rstrip(".!?")
    if len(core) < 3 or core.lower() in _TALK or core.startswith("[redacted"):
        return False
    return value != _unquote(value) or not _is_code(core, rest)


def _is_code(value: str, rest: str) -> bool:
    """A call, an index, a name of a variable or a placeholder: `password = form.data["password"]`."""
    return (
        rest[:1] in ("(", "[")
        or value[0] in "{<$%*"
        or value.lower() in _CODE_WORDS
        or _VARIABLE.fullmatch(value) is not None
    )


def _is_loose_password(value: str, _rest: str) -> bool:
    """Straight after the word, without a verb: only what no prose word looks like."""
    core = _unquote(value).rstrip(".!?:")
    has_letter, has_digit = any(c.isalpha() for c in core), any(c.isdigit() for c in core)
    return 4 <= len(core) <= 64 and has_letter and has_digit


def _is_paired_password(value: str, _rest: str) -> bool:
    """Beside a login: letters with a digit or a sign that names and words have not."""
    core = _unquote(value)
    has_letter = any(c.isalpha() for c in core)
    return 6 <= len(core) <= 64 and has_letter and any(c.isdigit() or c in "!@#$%^&*+=~" for c in core)


def _is_cjk_value(value: str, _rest: str) -> bool:
    core = _unquote(value).rstrip(".…!?:：")
    return len(core) >= 3 and core.isascii() and core.lower() not in _TALK


_CODE_WORDS = frozenset(
    {"none", "null", "true", "false", "str", "string", "undefined", "required", "optional"}
)
_VARIABLE = re.compile(
    r"[A-Za-z]\w*_\w*passw\w*|\w*passw\w*_\w+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", re.IGNORECASE
)


def _is_card(value: str, _rest: str) -> bool:
    """Luhn's checksum, one sort of separator, and a length its issuer uses."""
    if " " in value and "-" in value:
        return False
    digits = re.sub(r"[ -]", "", value)
    return _has_issuer(digits) and _luhn(digits)


_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|220[0-4]\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}"
    r"|62\d{14,17}|(?:50|5[6-8]|6[0-9])\d{14}"
)


def _has_issuer(digits: str) -> bool:
    return _ISSUERS.fullmatch(digits) is not None


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit)
        if place % 2:
            value = value * 2 - 9 if value > 4 else value * 2
        total += value
    return total % 10 == 0


_INVISIBLE = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_RULES = (
    _Rule("private key", _PRIVATE_KEY),
    _Rule("private key", _SEED_PHRASE),
    _Rule("token", _JWT),
    _Rule("api key", _API_KEYS),
    _Rule("aws key", _AWS_KEYS),
    _Rule("webhook", _WEBHOOK),
    _Rule("password", _URL_PASSWORD),
    _Rule("token", _BEARER, _looks_random),
    _Rule("api key", _ASSIGNED_TOKEN, _looks_random),
    _Rule("api key", _ASSIGNED_CJK_TOKEN, _is_cjk_value),
    _Rule("api key", _BARE_SECRET, _is_key_like),
    _Rule("password", _PASSWORD_SIGN, _is_set_password),
    _Rule("password", _PASSWORD, _is_password),
    _Rule("password", _LOOSE_PASSWORD, _is_loose_password),
    _Rule("password", _CJK_PASSWORD, _is_cjk_value),
    _Rule("password", _OTHER_PASSWORD_SIGN, _is_set_password),
    _Rule("password", _OTHER_PASSWORD, _is_cjk_value),
    _Rule("password", _LOGIN_PAIR, _is_paired_password),
    _Rule("password", _PASSWORD_NEXT, _is_loose_password),
    _Rule("pin", _PIN),
    _Rule("card number", _CARD, _is_card),
)


def screen(text: str) -> str:
    """Hide every secret of the text; idempotent, linear in its length.

    Example: "密钥是sk-abc123def" -> "密钥是[redacted: api key]".
    """
    for rule in _RULES:
        text = rule.pattern.sub(lambda match, rule=rule: _replace(rule, match), text)  # type: ignore[misc]
    return _screen_invisible(text) if _INVISIBLE.search(text) else text


def _screen_invisible(text: str) -> str:
    """Hide the secrets that characters without width cut up; elsewhere these stay, for
    Persian and emoji need them.
    """
    for rule in _RULES:
        places = [at for at, char in enumerate(text) if not _INVISIBLE.match(char)]
        bare = "".join(text[at] for at in places)
        parts: list[str] = []
        done = 0
        for match in rule.pattern.finditer(bare):
            hidden = _replace(rule, match)
            if hidden != match.group():
                parts += [text[done : places[match.start()]], hidden]
                done = places[match.end() - 1] + 1
        text = "".join(parts) + text[done:]
    return text


def _replace(rule: _Rule, match: re.Match[str]) -> str:
    start, end = match.span("s") if "s" in rule.pattern.groupindex else match.span()
    whole = match.group()
    value = match.string[start:end]
    if not rule.accepts(value, match.string[end : end + 40]):
        return whole
    # The sentence's own full stop is no part of the secret.
    tail = value[len(value.rstrip(".…!?")) :] if "s" in rule.pattern.groupindex else ""
    hidden = f"[redacted: {rule.kind}]{tail}"
    return match.string[match.start() : start] + hidden + match.string[end : match.end()]
