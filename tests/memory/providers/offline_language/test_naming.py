"""Names are told from words that only begin a sentence; topics are what it is about."""

import json
import os
from pathlib import Path

import pytest

from memory.providers.offline_language.naming import MAX_TOPICS, find_entities, find_topics

DATA = Path(os.environ.get("LYCHEE_BENCHMARK_DATA", Path(__file__).resolve().parents[5] / "shared" / "data"))


@pytest.mark.parametrize(
    ("statement", "language", "names"),
    [
        ("I met Gera Vossen in Crestmoor.", "en", ["Gera Vossen", "Crestmoor"]),
        ("Aria mentioned the Tartine Lab paper.", "en", ["Aria", "Tartine Lab"]),
        ("Yesterday I was at the University of Oslo on Monday.", "en", ["University of Oslo"]),
        ("Painting is fun. Weather was nice.", "en", []),
        ("We use GPT-4 and LaTeX.", "en", ["GPT-4", "LaTeX"]),
        ('I read "Nothing is Impossible" twice.', "en", ["Nothing is Impossible"]),
        ("Anna's boat is in the US.", "en", ["US"]),
        ("Ich war mit Anna in Berlin bei Siemens.", "de", ["Anna", "Berlin", "Siemens"]),
        ("Das Projekt Distributed Tracing hat Erfolg.", "de", ["Distributed Tracing"]),
        ("Пайплайн Invoice Parsing упал у Анны.", "ru", ["Invoice Parsing", "Анны"]),
        ("我和王小明去了北京大学，读《红楼梦》", "zh", ["红楼梦", "王小明", "北京大学"]),
        ("李老师在上海", "zh", ["李老师", "上海"]),
        ("Aria提到Tartine Lab的论文", "zh", ["Aria", "Tartine Lab"]),
    ],
)
def test_names_are_found_in_order_of_their_sort(statement, language, names):
    assert list(find_entities(statement, language=language)) == names


def test_a_known_name_counts_where_a_sentence_begins():
    assert find_entities("Bramble is here.", language="en", known=["Bramble"]) == ("Bramble",)


def test_no_name_is_listed_twice_or_as_part_of_another():
    assert find_entities("He met Ann Lee and later Ann Lee met Lee.", language="en") == ("Ann Lee",)


class TestTopics:
    def topics(self, statement: str, language: str = "en", exclude=(), weights=None):
        return find_topics(statement, language=language, exclude=exclude, weights=weights or {})

    def test_the_words_of_the_segment_come_first(self):
        assert self.topics("The harbour festival was noisy", weights={"festiv": 3})[0] == "festival"

    def test_names_types_and_filler_are_no_topics(self):
        assert self.topics("Caroline really loves pottery today", exclude=["Caroline"]) == ("pottery",)

    def test_accents_stay_as_they_were_written(self):
        assert "wöchentliche" in self.topics("Die wöchentliche Übersicht", "de")

    def test_chinese_is_cut_at_its_small_words(self):
        assert "火锅" in self.topics("我喜欢火锅", "zh")

    def test_there_are_at_most_five(self):
        many = "harbour festival pottery sailing bicycle museum library"
        assert len(self.topics(many)) == MAX_TOPICS


@pytest.mark.data
@pytest.mark.parametrize(
    ("suffix", "language", "least"), [("", "en", 0.70), (".ru", "ru", 0.70), (".zh", "zh", 0.80)]
)
def test_most_names_of_a_labelled_set_are_found(suffix, language, least):
    folder = DATA / "multilingual" / "entity_extraction"
    if not folder.exists():
        pytest.skip("the benchmark data is not here")
    labels = {row["id"]: {e["name"] for e in row["entities"]} for row in _rows(folder / "labels.jsonl")}
    right = listed = wanted = 0
    for row in _rows(folder / f"dataset{suffix}.jsonl"):
        found = set(find_entities(row["text"], language=language))
        right += len(found & labels[row["id"]])
        listed += len(found)
        wanted += len(labels[row["id"]])
    assert right / listed >= least
    assert right / wanted >= least


def _rows(path: Path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "text",
    [
        "We meet on Thursday 3 December 2026.",
        "We meet on Thu 2026-12-03.",
        "We meet on Thursday, December 3, 2026.",
        "We meet on 3 December 2026 (Thursday).",
        "We meet on Thu.",
    ],
)
def test_a_date_is_no_name(text):
    assert find_entities(text, language="en") == ()


def test_names_beside_a_date_stay_apart():
    assert find_entities("I met Ruth 3 December 2026 Anna said", language="en") == ("Ruth", "Anna")


@pytest.mark.parametrize(
    ("question", "language", "names"),
    [
        ("¿Cómo se llama mi gato?", "es", ()),
        ("¿Cuántos años tiene Luna?", "es", ("Luna",)),
        ("Hola. ¿Vives en Lima?", "es", ("Lima",)),
        ("Welcher Verein gefällt mir?", "de", ()),
        ("Quel âge a Tom ?", "fr", ("Tom",)),
    ],
)
def test_what_asks_is_no_name(question, language, names):
    assert find_entities(question, language=language) == names
