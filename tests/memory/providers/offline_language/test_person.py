"""English speaks of its speaker in the third person, and the verbs agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.providers.offline_language.person import (
    has_first_person,
    has_second_person,
    possessive_of,
    resolve_persons,
    third_person,
    with_own,
    with_subject,
)


def alice(sentence: str, addressee: str = "") -> str:
    return resolve_persons(sentence, speaker="Alice", addressee=addressee)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I live in Paris.", "Alice lives in Paris."),
        ("I live in Paris and work at ACME.", "Alice lives in Paris and works at ACME."),
        ("I'm a nurse.", "Alice is a nurse."),
        ("I’ve been there.", "Alice has been there."),
        ("im tired", "Alice is tired"),
        ("I'll go.", "Alice will go."),
        ("I'd love to go.", "Alice would love to go."),
        ("I'd moved before.", "Alice had moved before."),
        ("I don't like cats.", "Alice doesn't like cats."),
        ("I haven't seen it.", "Alice hasn't seen it."),
        ("I am happy, I was sad.", "Alice is happy, Alice was sad."),
        ("I have two kids.", "Alice has two kids."),
        ("I went to Rome yesterday.", "Alice went to Rome yesterday."),
        ("I agreed, but I need help.", "Alice agreed, but Alice needs help."),
        ("I really try to study and read.", "Alice really tries to study and read."),
        ("I can't eat nuts.", "Alice can't eat nuts."),
        ("I no longer work at Siemens.", "Alice no longer works at Siemens."),
        ("I rather like tea.", "Alice rather likes tea."),
        ("I wish I were rich.", "Alice wishes Alice was rich."),
        ("I go, I fly, I watch, I pass.", "Alice goes, Alice flies, Alice watches, Alice passes."),
        ("My sister told me to go.", "Alice's sister told Alice to go."),
        ("I lost my keys.", "Alice lost their keys."),
        ("That book is mine.", "That book is Alice's."),
        ("I made it myself.", "Alice made it themself."),
        ("Yesterday I ran.", "Yesterday Alice ran."),
        ("i love hiking", "Alice loves hiking"),
        ("It rained.", "It rained."),
    ],
)
def test_the_speaker_is_named_and_the_verb_agrees(said, told):
    assert alice(said) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("You're so talented.", "Bob is so talented."),
        ("I hope you like it.", "Alice hopes Bob likes it."),
        ("You should visit. You have kids.", "Bob should visit. Bob has kids."),
        ("I want you to answer in French.", "Alice wants Bob to answer in French."),
        ("I love your art.", "Alice loves Bob's art."),
        ("Thank you!", "Thank you!"),
        ("You know, it rained.", "You know, it rained."),
        ("When you cook, use salt.", "When you cook, use salt."),
        ("Just like you are doing.", "Just like Bob is doing."),
    ],
)
def test_who_is_spoken_to_is_named_where_somebody_is_meant(said, told):
    assert alice(said, "Bob") == told


def test_without_somebody_to_speak_to_you_stays():
    assert alice("I hope you like it.") == "Alice hopes you like it."


@pytest.mark.parametrize(
    ("verb", "third", "is_base"),
    [
        ("live", "lives", True),
        ("try", "tries", True),
        ("play", "plays", True),
        ("teach", "teaches", True),
        ("go", "goes", True),
        ("have", "has", True),
        ("need", "needs", True),
        ("lived", "lived", False),
        ("went", "went", False),
        ("can", "can", False),
        ("don't", "doesn't", False),
        ("were", "was", False),
    ],
)
def test_verbs_take_their_ending(verb, third, is_base):
    assert third_person(verb) == (third, is_base)


def test_a_name_in_s_takes_an_apostrophe_alone():
    assert possessive_of("James") == "James'"
    assert possessive_of("Alice") == "Alice's"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Went home.", "I went home."),
        ("Just finished my book.", "I just finished my book."),
        ("Gonna sleep.", "I am gonna sleep."),
        ("Been there.", "I have been there."),
        ("Haven't slept.", "I haven't slept."),
        ("Reading is fun.", "Reading is fun."),
        ("The cat slept.", "The cat slept."),
    ],
)
def test_the_subject_that_speech_leaves_out_is_put_back(said, told):
    assert with_subject(said) == told


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Our dog Biscuit is seven.", "My dog Biscuit is seven."),
        ("Yesterday our youngest daughter turned six.", "Yesterday my youngest daughter turned six."),
        ("Our dog barks when we leave.", "Our dog barks when we leave."),
        ("Our team won.", "Our team won."),
        ("“Our dog barks” is all she says.", "“Our dog barks” is all she says."),
        ("Our house is red and our car is blue.", "My house is red and our car is blue."),
    ],
)
def test_what_is_a_households_is_its_tellers(said, meant):
    assert with_own(said) == meant


def test_persons_are_noticed():
    assert has_first_person("It is mine.")
    assert not has_first_person("It is his; i.e. not hers, Mr. Myers.")
    assert has_second_person("Your turn.")
    assert not has_second_person("The young one.")


@given(st.text(max_size=100))
def test_any_text_can_be_told_of_a_person(text):
    assert isinstance(resolve_persons(text, speaker="Alice", addressee="Bob"), str)


@given(st.text(alphabet="abcdefgh ,.!字é", max_size=60))
def test_a_text_without_persons_stays_as_it_was(text):
    assert resolve_persons(text, speaker="Alice", addressee="Bob") == text


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("Don't like fish at all.", "I don't like fish at all."),
        ("Don't call me before noon.", "Don't call me before noon."),
    ],
)
def test_only_a_state_of_mind_is_given_the_subject_that_speech_leaves_out(said: str, understood: str) -> None:
    assert with_subject(said) == understood


def test_the_first_person_of_a_title_is_nobodys():
    told = "I Am Legend is my favourite film."
    assert resolve_persons(told, speaker="Alice") == "I Am Legend is Alice's favourite film."
    assert resolve_persons("I Am tired.", speaker="Alice") == "Alice is tired."


def test_a_name_that_is_also_a_verb_keeps_its_sentence():
    assert with_subject("Hope is my friend.") == "Hope is my friend."
    assert with_subject("Hope to see Rome.") == "I hope to see Rome."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My partner is Max and we have twins.", "Alice's partner is Max and they have twins."),
        ("I bake and we're selling it by ourselves.", "Alice bakes and they're selling it by themselves."),
        ("My sister visited us.", "Alice's sister visited them."),
        ("I moved to the US.", "Alice moved to the US."),
        ("We sold the boat.", "We sold the boat."),
    ],
)
def test_several_are_they_once_one_of_them_is_named(said, told):
    assert resolve_persons(said, speaker="Alice") == told
