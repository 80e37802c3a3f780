"""Secrets go, prose stays, in every language and beside any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.secrets import screen
from tests.growth import growth

API = "[redacted: api key]"
PASSWORD = "[redacted: password]"
CARD = "[redacted: card number]"
TOKEN = "[redacted: token]"

HIDDEN = [
    ("密钥是sk-abc123def456，别告诉别人", f"密钥是{API}，别告诉别人"),
    ("密钥是sk-abc…", f"密钥是{API}…"),
    ("使用令牌ghp_abcdefghijklmnopqrstuvwxyz0123456789登录", f"使用令牌{API}登录"),
    ("密码是hunter2。", f"密码是{PASSWORD}。"),
    ("密码改成了abc12345", f"密码改成了{PASSWORD}"),
    ("wifi密码：qwer1234", f"wifi密码：{PASSWORD}"),
    ("パスワードはabc12345です", f"パスワードは{PASSWORD}です"),
    ("비밀번호는 qwer1234 입니다", f"비밀번호는 {PASSWORD} 입니다"),
    ("My password is hunter2.", f"My password is {PASSWORD}."),
    ("my password is swordfish", f"my password is {PASSWORD}"),
    ('The password is "correct horse battery staple" ok', f"The password is {PASSWORD} ok"),
    (
        "The wifi password for the office is Blue-Sky-99, ok",
        f"The wifi password for the office is {PASSWORD}, ok",
    ),
    ("password for the wifi: Blue9x77", f"password for the wifi: {PASSWORD}"),
    ("password: letmein", f"password: {PASSWORD}"),
    ('password = "mysecretpassword"', f"password = {PASSWORD}"),
    ("curl -d 'user=bob&password=testpass' x", f"curl -d 'user=bob&password={PASSWORD}' x"),
    ("пароль: qwerty123", f"пароль: {PASSWORD}"),
    ("мой пароль — Kot2020!", f"мой пароль — {PASSWORD}!"),
    ("пароль от почты qwerty123", f"пароль от почты {PASSWORD}"),
    ("Mein Passwort ist Sommer2024!", f"Mein Passwort ist {PASSWORD}!"),
    ("Mi contraseña es gato1234", f"Mi contraseña es {PASSWORD}"),
    ("postgres://bob:s3cret@db.example.com/x", f"postgres://bob:{PASSWORD}@db.example.com/x"),
    ("my PIN is 4821", "my PIN is [redacted: pin]"),
    ("card 4111 1111 1111 1111 exp 12/26", f"card {CARD} exp 12/26"),
    ("卡号4111111111111111请记住", f"卡号{CARD}请记住"),
    ("5555-5555-5555-4444", CARD),
    ("378282246310005", CARD),
    ("AKIAIOSFODNN7EXAMPLE", "[redacted: aws key]"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", f"aws_secret_access_key = {API}"),
    ("t eyJhbGciOiJIUzI1NiIsInR5.eyJzdWIiOiIxMjM0NTY3.dozjgNryP4J3jVmNHl0w5N", f"t {TOKEN}"),
    ("Authorization: Bearer abcdef1234567890abcdef", f"Authorization: Bearer {TOKEN}"),
    ("lyk_ab12_Zk3v9s8d7f6g5h4j", API),
    ("sk-ant-api03-AAAAbbbbCCCCdddd-1234", API),
    ("xoxb-123456789012-abcdefghijkl", API),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuv", API),
    ('api_key="0123456789abcdef0123456789abcdef"', f"api_key={API}"),
    ("The API key is 9f8a7b6c5d4e3f2a1b0c", f"The API key is {API}"),
    ("OPENAI_API_KEY=sk-test1234567890abcdef", f"OPENAI_API_KEY={API}"),
    (
        "a -----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY----- b",
        "a [redacted: private key] b",
    ),
    ("sk-proj-abcd\u200befgh\u2060ijkl\ufeffmnop12", API),
    ("my pass\u200bword is hun\u200dter2, ok", f"my password is {PASSWORD}, ok"),
    ("می\u200cخواهم 4111\u200b1111\u200b1111\u200b1111", f"می\u200cخواهم {CARD}"),
    ("login: bob / CNRYpass99!", f"login: bob / {PASSWORD}!"),
    ("Login: bob@example.com | CNRYpass99", f"Login: bob@example.com | {PASSWORD}"),
    ("credentials are bob:CNRYpass99 there", f"credentials are bob:{PASSWORD} there"),
    ("логин: boris / Kot2020", f"логин: boris / {PASSWORD}"),
    ("كلمة المرور: سمسم2024", f"كلمة المرور: {PASSWORD}"),
    ("كلمة المرور الخاصة بي هي hunter2، شكرا", f"كلمة المرور الخاصة بي هي {PASSWORD}، شكرا"),
    ("كلمة السر = letmein", f"كلمة السر = {PASSWORD}"),
    ("הסיסמה היא hunter2", f"הסיסמה היא {PASSWORD}"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz", "[redacted: private key]"),
]

KEPT = [
    "The password is too weak.",
    "I forgot my password again",
    "The password manager 1Password is great",
    "Change your password to something longer",
    "What is the password?",
    "The key is to be patient; the secret to good bread is time",
    "Call me at +1 415 555 2671 or 010-1234-5678",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk==",
    "ISBN 978-3-16-148410-0 and order 1234567890123456",
    "card-like 4111 1111 1111 1112 fails its checksum",
    "Timestamp 1700000000000",
    "the bearer of bad news, bearer authentication is used",
    "I use scikit-learn and sk-learn",
    "我忘记密码了，密码太短了，密码学很有趣，密码是什么？",
    "забыл пароль, пароль не подходит",
    "Passwort vergessen",
    "1. **Password Hashing**: use Argon2",
    'password = request.form["password"]',
    "password = data.get('password')",
    "hashed_password = generate_password_hash(password)",
    "new_user = User(name=name, password=hashed_password)",
    "password = None",
    "password: {password}",
    "password=<your password>",
    "login: bob / alice",
    "login: https://example.com/page1 or github.com/bob1234",
    "user: bob:8080, login is broken / since 2024",
    "My user name is bob / account 12345678",
    "كلمة مرور Google هي سر",
    "نسيت كلمة المرور، كلمة المرور قصيرة جدا",
    "می\u200cخواهم، 👩\u200d👩\u200d👧, zero\u200bwidth",
    "pin it on the board in 2024",
    "IBAN DE89 3704 0044 0532 0130 00",
    "https://example.com:8080/path@foo",
]


HIDDEN += [
    ("My password is: hunter2!X", "My password is: [redacted: password]"),
    ("Mein Passwort ist: Hund77", "Mein Passwort ist: [redacted: password]"),
    ("mot de passe est : Azerty1", "mot de passe est : [redacted: password]"),
    ("我的密码是：Hunter2!x", "我的密码是：[redacted: password]"),
    ("the wifi password is correct-horse-battery", "the wifi password is [redacted: password]"),
    ("Mi clave es: abc123XYZ", "Mi clave es: [redacted: password]"),
    ("La password è Cane12", "La password è [redacted: password]"),
    ("parola mea este: Caine12", "parola mea este: [redacted: password]"),
    ("heslo je Pes12345", "heslo je [redacted: password]"),
    ("salasana on Koira12", "salasana on [redacted: password]"),
    ("mật khẩu là Cho12345", "mật khẩu là [redacted: password]"),
    ("kata sandi saya adalah Kucing12", "kata sandi saya adalah [redacted: password]"),
    ("κωδικός είναι Skylos12", "κωδικός είναι [redacted: password]"),
    ("รหัสผ่านคือ Dog12345", "รหัสผ่านคือ [redacted: password]"),
    (
        "AKIAIOSFODNN7EXAMPLE, secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "[redacted: aws key], secret [redacted: api key]",
    ),
    (
        "seed phrase is witch collapse practice feed shame open despair creek road again ice least",
        "seed phrase is [redacted: private key]",
    ),
]
KEPT += [
    "I changed my password on Monday.",
    "Cambié la contraseña este mes.",
    "La password è scaduta.",
    "La clave es la paciencia.",
    "La clave es paciencia.",
    "The password is up-to-date.",
    "The password is: required",
    "My secret is https://example.org/Some/Path1234/abcdefABC",
    "key 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "token_count=123456789012345678901234",
    "A seed phrase is a list of words.",
]


@pytest.mark.parametrize(("text", "screened"), HIDDEN)
def test_a_secret_is_hidden_and_its_sentence_kept(text, screened):
    assert screen(text) == screened


@pytest.mark.parametrize("text", KEPT)
def test_talk_and_numbers_that_are_no_secret_stay(text):
    assert screen(text) == text


@pytest.mark.parametrize("text", [text for text, _ in HIDDEN] + KEPT)
def test_screening_twice_changes_nothing_more(text):
    assert screen(screen(text)) == screen(text)


@given(st.text(max_size=200))
def test_any_text_can_be_screened(text):
    assert isinstance(screen(text), str)


@given(st.text(alphabet="日本語密码字 ", max_size=20), st.text(alphabet="日本語字 。", max_size=20))
def test_a_key_is_found_whatever_surrounds_it(before, after):
    assert "sk-proj-" not in screen(f"{before}sk-proj-abcdefghijklmnop1234{after}")


@pytest.mark.parametrize(
    "piece",
    [
        "ha ",
        "a",
        "1",
        "密码",
        "password ",
        "a-",
        "1 ",
        "x://",
        "password is ",
        "sk-a\u200b",
        "login: a / ",
        "كلمة المرور ",
    ],
)
def test_a_long_text_costs_in_proportion_to_its_length(piece):
    assert growth(lambda size: screen(piece * size), 20_000 // len(piece)) < 8


VENDORS = [
    "sk-ant-api03-AbCdEfGhIjKlMnOpQrSt",
    "sk-svcacct-AbCdEfGhIjKlMnOpQrSt",
    "sk-or-v1-0123456789abcdef0123456789abcdef",
    "sk_live_0123456789abcdefABCDEF",
    "rk_test_0123456789abcdefABCDEF",
    "whsec_0123456789abcdefABCDEF",
    "gho_abcdefghijklmnopqrstuvwxyz0123456789",
    "github_pat_11ABCDEFG0abcdefghijkl_mnopqrst",
    "glpat-abcdefghijklmnopqrst",
    "xoxp-123456789012-123456789012",
    "xapp-1-A0123456789-0123456789",
    "ya29.a0AfH6SMBabcdefghijklmnop",
    "GOCSPX-abcdefghijklmnopqrstuv",
    "SG.abcdefghijklmnopqrst.uvwxyzabcdefghijklmnop",
    "SK0123456789abcdef0123456789abcdef",
    "hf_abcdefghijklmnopqrstuvwxyz",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "pypi-AgEIcHlwaS5vcmcCJGFiY2RlZmdoaWprbG0",
    "gsk_abcdefghijklmnopqrstuvwxyz",
    "dop_v1_0123456789abcdef0123456789abcdef",
    "shpat_0123456789abcdef01234567",
    "lin_api_abcdefghijklmnopqrstuvwxyz012345",
    "dckr_pat_abcdefghijklmnopqrstu",
    "123456789:AAabcdefghijklmnopqrstuvwxyz0123456",
]
CARDS = [
    "4111111111111111",
    "4012 8888 8888 1881",
    "5105-1051-0510-5100",
    "2223003122003222",
    "371449635398431",
    "6011111111111117",
    "3530111333300000",
    "30569309025904",
    "6212345678901265",
]


@pytest.mark.parametrize("key", VENDORS)
@pytest.mark.parametrize("around", ["{}", "my key is {}.", "密钥：{}，记住", "ключ {} готов", "({})", '"{}"'])
def test_a_vendors_key_is_known_by_its_shape_wherever_it_stands(key, around):
    screened = screen(around.format(key))
    assert key not in screened
    assert "[redacted: " in screened


@pytest.mark.parametrize("number", CARDS)
def test_a_card_of_every_large_issuer_is_hidden(number):
    assert screen(f"pay with {number} please") == f"pay with {CARD} please"


@pytest.mark.parametrize("number", CARDS)
def test_a_card_with_one_wrong_digit_is_only_a_number(number):
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    assert screen(f"pay with {wrong} please") == f"pay with {wrong} please"


@given(
    st.sampled_from(VENDORS),
    st.text(alphabet="ab 字я.,", max_size=15),
    st.text(alphabet=" 字,。", max_size=15),
)
def test_no_surrounding_text_uncovers_a_key(key, before, after):
    assert key not in screen(f"{before} {key}{after}")
