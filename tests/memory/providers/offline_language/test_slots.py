"""Attributes are read where they are stated as true now, in several languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.providers.offline_language.slots import Slot, find_slot


@pytest.mark.parametrize(
    ("sentence", "name", "value"),
    [
        ("I live in Paris.", "residence", "Paris"),
        ("I now run my own practice.", "employer", "own practice"),
        ("I currently own my own small bakery", "employer", "own small bakery"),
        ("Ich habe jetzt meine eigene Praxis.", "employer", "eigene Praxis"),
        ("J'ai maintenant ma propre entreprise.", "employer", "propre entreprise"),
        ("Ahora tengo mi propia empresa.", "employer", "propia empresa"),
        ("У меня теперь своя клиника.", "employer", "своя клиника"),
        ("我现在开了自己的诊所。", "employer", "自己的诊所"),
        ("I moved to New York last month because of work.", "residence", "New York"),
        ("I'm currently living in San Francisco with my wife", "residence", "San Francisco"),
        ("I live in the UK", "residence", "the UK"),
        ("Ich wohne in Berlin.", "residence", "Berlin"),
        ("Ich bin letztes Jahr nach Hamburg gezogen.", "residence", "Hamburg"),
        ("Я живу в Москве.", "residence", "Москве"),
        ("Я переехала в Казань", "residence", "Казань"),
        ("Vivo en Madrid", "residence", "Madrid"),
        ("J'habite à Lyon", "residence", "Lyon"),
        ("J'ai déménagé à Nantes le mois dernier.", "residence", "Nantes"),
        ("Je travaille comme cuisinier dans un hôtel.", "job", "cuisinier dans un hôtel"),
        ("Trabajo como profesora de inglés.", "job", "profesora de inglés"),
        ("Me mudé a Málaga el mes pasado.", "residence", "Málaga"),
        ("Me mudé a La Paz la semana pasada.", "residence", "La Paz"),
        ("Nos mudamos a Vigo hace un año.", "residence", "Vigo"),
        ("Ich bin Tom und wohne in Köln.", "residence", "Köln"),
        ("我住在北京。", "residence", "北京"),
        ("我搬到了上海", "residence", "上海"),
        ("Actually, I moved: since last month we live in Lübeck, in a flat.", "residence", "Lübeck"),
        ("We live in Hamburg.", "residence", "Hamburg"),
        ("Since March we live in Kiel.", "residence", "Kiel"),
        ("We moved to Bremen last week", "residence", "Bremen"),
        ("We've been living in Rome since May", "residence", "Rome"),
        ("Seit Oktober wohne ich in Dresden.", "residence", "Dresden"),
        ("Seit letztem Monat wohnen wir in Kiel.", "residence", "Kiel"),
        ("Ich wohne seit dem Sommer in Ulm", "residence", "Ulm"),
        ("Im Mai sind wir nach Köln gezogen", "residence", "Köln"),
        ("Desde marzo vivimos en Sevilla", "residence", "Sevilla"),
        ("Depuis mars nous habitons à Lyon", "residence", "Lyon"),
        ("С марта мы живём в Казани", "residence", "Казани"),
        ("我们从三月起住在上海", "residence", "上海"),
        ("We moved to Kiel in April.", "residence", "Kiel"),
        ("I moved to Oslo on 3 May.", "residence", "Oslo"),
        ("I relocated to Bath in late 2020", "residence", "Bath"),
        ("I live in Oslo again.", "residence", "Oslo"),
        ("Ich wohne jetzt wieder in Kiel.", "residence", "Kiel"),
        ("J'habite de nouveau à Lyon", "residence", "Lyon"),
        ("Vivo otra vez en Sevilla", "residence", "Sevilla"),
        ("Я снова живу в Казани", "residence", "Казани"),
        ("Я переехала обратно в Казань", "residence", "Казань"),
        ("我又搬回上海了", "residence", "上海"),
        ("我又住在上海了", "residence", "上海"),
        ("私は東京に住んでいます", "residence", "東京"),
        ("I work at Acme Corp as an engineer", "employer", "Acme Corp"),
        ("I work as a data scientist at Google.", "employer", "Google"),
        ("Ich arbeite bei Siemens", "employer", "Siemens"),
        ("Я работаю в Яндексе", "employer", "Яндексе"),
        ("我在腾讯工作", "employer", "腾讯"),
        ("I'm a senior software engineer.", "job", "senior software engineer"),
        ("我是一名程序员。", "job", "程序员"),
        ("My name is Anna Karlsson and I like tea", "name", "Anna Karlsson"),
        ("Hi, I'm Ana.", "name", "Ana"),
        ("Меня зовут Анна", "name", "Анна"),
        ("Ich heiße Jürgen", "name", "Jürgen"),
        ("我叫李雷", "name", "李雷"),
        ("My birthday is May 3rd, 1990.", "birthday", "May 3rd, 1990"),
        ("我的生日是5月3日", "birthday", "5月3日"),
        ("My phone number is +1 415 555 2671.", "phone", "+1 415 555 2671"),
        ("我的手机号是13812345678", "phone", "13812345678"),
        ("My email is a.b@example.org", "email", "a.b@example.org"),
        ("I'm 34 years old", "age", "34"),
        ("I'm 41 and happy", "age", "41"),
        ("I'm Nora Lindqvist.", "name", "Nora Lindqvist"),
        ("我今年34岁", "age", "34"),
        ("I'm from Sweden originally", "origin", "Sweden"),
        ("我是四川人，", "origin", "四川"),
        ("I'm vegan", "diet", "vegan"),
        ("I have been vegetarian for ten years.", "diet", "vegetarian"),
        ("Je suis végétarienne", "diet", "végétarienne"),
        ("I study physics at MIT", "school", "MIT"),
        ("My favourite colour is dark green.", "favourite_colour", "dark green"),
        ("My favorite hockey player is Messi", "favourite_hockey_player", "Messi"),
        ("Mein Lieblingsverein ist der 1. FC Köln.", "favourite_verein", "der 1. FC Köln"),
        ("Meine Lieblingsfarbe ist Blau", "favourite_farbe", "Blau"),
        ("我最喜欢的颜色是蓝色", "favourite_颜色", "蓝色"),
        ("My dog's name is Rex", "dog_name", "Rex"),
        ("My wife is called Anna", "wife_name", "Anna"),
    ],
)
def test_an_attribute_and_its_value_are_read(sentence, name, value):
    assert find_slot(sentence) == Slot(name, value)


@pytest.mark.parametrize(
    "sentence",
    [
        "I don't live in Rome",
        "I used to live in Rome",
        "I wish I lived in Rome",
        "I want to move, I would live in Rome",
        "I live in a small house",
        "I moved to the kitchen",
        "I moved from Berlin to the coast",
        "Ich wohne nicht in Rom",
        "Я не живу в Риме",
        "我不住在北京",
        "我以前住在北京",
        "我搬回家了",
        "我搬回老家了",
        "My sister lives in Rome",
        "I'm German.",
        "I am 1.82 m tall.",
        "I like tea and I also like Ronaldo",
        "",
    ],
)
def test_denials_wishes_the_past_and_others_state_none(sentence):
    assert find_slot(sentence) is None


@given(st.text(max_size=200))
def test_any_sentence_gives_a_bounded_slot_or_none(sentence):
    slot = find_slot(sentence)
    assert slot is None or (len(slot.name) <= 64 and 0 < len(slot.value) <= 512)


@pytest.mark.parametrize(
    ("sentence", "name", "value"),
    [
        ("I've moved to Cape Town", "residence", "Cape Town"),
        ("We moved from New York to Cape Town", "residence", "Cape Town"),
        ("I moved back from my parents' flat to Turin last week", "residence", "Turin"),
        ("I live in Rio de Janeiro now", "residence", "Rio de Janeiro"),
        ("I recently relocated to Oslo, Norway", "residence", "Oslo, Norway"),
        ("I am based in Tokyo", "residence", "Tokyo"),
        ("Ich lebe seit 2019 in Wien", "residence", "Wien"),
        ("Я сейчас живу в Казани", "residence", "Казани"),
        ("我现在住在深圳，很喜欢", "residence", "深圳"),
        ("I'm working remotely for GitLab", "employer", "GitLab"),
        ("I work at the BBC", "employer", "the BBC"),
        ("I am a nurse", "job", "nurse"),
        ("I'm an independent wedding photographer.", "job", "independent wedding photographer"),
        ("Ich arbeite als Lehrerin", "job", "Lehrerin"),
        ("Я работаю учителем", "job", "учителем"),
        ("Please call me Max", "name", "Max"),
        ("Je m'appelle Zoé", "name", "Zoé"),
        ("Me llamo Lucía", "name", "Lucía"),
        ("Mein Geburtstag ist am 3. Mai", "birthday", "3. Mai"),
        ("My mobile is 0151 2345678", "phone", "0151 2345678"),
        ("我的邮箱是li@example.cn", "email", "li@example.cn"),
        ("Ich bin 40 Jahre alt", "age", "40"),
        ("Мне 30 лет", "age", "30"),
        ("I became vegetarian", "diet", "vegetarian"),
        ("My favorite books are old atlases", "favourite_books", "old atlases"),
        ("Мой любимый цвет — синий", "favourite_цвет", "синий"),
        ("My cat is named Miso", "cat_name", "Miso"),
    ],
)
def test_more_ways_to_state_an_attribute(sentence, name, value):
    assert find_slot(sentence) == Slot(name, value)


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("My favourite colour is blue, not green.", "favourite_colour", "blue"),
        ("My favourite colour is not green but blue.", "favourite_colour", "blue"),
        ("I live in Porto, not Lisbon.", "residence", "Porto"),
        ("Meine Lieblingsfarbe ist Blau, nicht Grün.", "favourite_farbe", "Blau"),
        ("Meine Lieblingsfarbe ist nicht Grün, sondern Blau.", "favourite_farbe", "Blau"),
        ("Mi color favorito es azul, no verde.", "favourite_color", "azul"),
        ("我最喜欢的颜色是蓝色，不是绿色。", "favourite_颜色", "蓝色"),
    ],
)
def test_what_a_value_is_told_apart_from_denies_nothing(said, name, value):
    assert find_slot(said) == (name, value)


@pytest.mark.parametrize(
    "said", ["My favourite colour is not green.", "I work at ACME, not anymore.", "I'm not vegan."]
)
def test_a_denial_still_states_nothing(said):
    assert find_slot(said) is None


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("My favourite film is now Paterson.", "Paterson"),
        ("My favourite film is actually still Paterson.", "Paterson"),
        ("My favourite film is Paterson now.", "Paterson"),
        ("My favourite film is Paterson these days.", "Paterson"),
        ("My favourite film is Now You See Me.", "Now You See Me"),
        ("My name is now Ann Smith.", "Ann Smith"),
        ("Mein Lieblingsfilm ist jetzt Paterson.", "Paterson"),
        ("Mi color favorito es ahora azul.", "azul"),
        ("Мой любимый цвет — теперь синий.", "синий"),
        ("我最喜欢的颜色现在是蓝色。", "蓝色"),
    ],
)
def test_a_word_of_now_is_no_part_of_the_value(said, value):
    found = find_slot(said)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    "sentence",
    [
        "We lived in Rome then.",
        "We used to live in Kiel.",
        "We would live in Rome.",
        "My parents live in Rome.",
    ],
)
def test_where_nobody_lives_now_is_no_residence(sentence):
    assert find_slot(sentence) is None
