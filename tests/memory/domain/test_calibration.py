"""Labelled examples to what cosines mean for an embedder."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.config import LOCAL_EMBEDDER, SurpriseScale
from memory.domain.calibration import (
    THRESHOLDS,
    BadExamples,
    Examples,
    Fact,
    Measured,
    fit_calibration,
    measure_examples,
    read_examples,
    share_below,
)
from memory.domain.cosines import CALIBRATIONS, Calibration, CalibrationConfig
from memory.providers.local_embedder import LocalEmbedder
from memory.services.calibrate import EXAMPLES

FACT = {"kind": "fact", "statement": "s", "reworded": "r", "related": "l", "question": "q"}
FEW = replace(CalibrationConfig(), fewest=1)


def floats(*values: float):
    return np.array(values, np.float32)


def at(cosine: float):
    """A unit vector whose cosine with (1, 0) is this."""
    return floats(cosine, math.sqrt(max(0.0, 1 - cosine**2)))


@pytest.fixture(scope="module")
def measured() -> Measured:
    examples = read_examples(EXAMPLES.read_text().splitlines())
    texts = examples.texts()
    made = zip(texts, LocalEmbedder().embed(texts), strict=True)
    vectors = {text: each.vector for text, each in made if each.vector is not None}
    assert set(texts) == set(vectors), "the English embedder reads them all"
    return measure_examples(examples, vectors, CalibrationConfig())


class TestReadingExamples:
    def test_tells_facts_from_dialogues_and_passes_blank_lines(self):
        dialogue = {"kind": "dialogue", "topics": [[["Hi.", "Hello."]], [["Bye."]]]}
        examples = read_examples([json.dumps(FACT), "", json.dumps(dialogue)])
        assert examples == Examples((Fact("s", "r", "l", "q"),), (((("Hi.", "Hello."),), (("Bye.",),)),))
        assert examples.texts() == ["s", "r", "l", "q", "Hi.", "Hello.", "Bye."]

    @pytest.mark.parametrize(
        "line",
        [
            "{",
            "[]",
            '{"kind": "poem"}',
            json.dumps({**FACT, "question": " "}),
            json.dumps({**FACT, "question": 3}),
            json.dumps({key: value for key, value in FACT.items() if key != "related"}),
            '{"kind": "dialogue", "topics": []}',
            '{"kind": "dialogue", "topics": [[["Hi.", null]]]}',
        ],
    )
    def test_names_the_line_that_it_cannot_read(self, line: str):
        with pytest.raises(BadExamples, match=r"^Line 2 cannot be read: "):
            read_examples([json.dumps(FACT), line])


class TestMeasuring:
    facts = (Fact("a", "a2", "a3", "a?"), Fact("b", "b2", "b3", "b?"))
    dialogues = (((("x",), ("y",)), (("z",),)),)
    vectors = {
        "a": at(1), "a2": at(0.9), "a3": at(0.6), "a?": at(0.5),
        "b": at(0), "b2": at(0), "b3": at(0), "b?": at(0),
        "x": at(1), "y": at(0.8), "z": at(0),
    }  # fmt: skip

    def test_takes_the_cosines_of_each_pair(self):
        found = measure_examples(Examples(self.facts, self.dialogues), self.vectors, FEW)
        assert found.same.tolist() == pytest.approx([0.9, 1])
        assert found.related.tolist() == pytest.approx([0.6, 1])
        assert found.other.tolist() == [0], "each two statements once"
        assert found.answered.tolist() == pytest.approx([0.5, 1])
        assert found.unanswered.tolist() == pytest.approx([math.sqrt(0.75), 0])

    def test_takes_surprise_as_segments_do(self):
        found = measure_examples(Examples(self.facts, self.dialogues), self.vectors, FEW)
        assert found.continuing.tolist() == pytest.approx([0.2])
        # To the mean of (1, 0) and (0.8, 0.6), made unit length: 0.3 / sqrt(0.9), and z = (0, 1).
        assert found.changing.tolist() == pytest.approx([1 - 0.6 / math.hypot(1.8, 0.6)])

    def test_leaves_out_what_the_embedder_cannot_read(self):
        vectors = {text: vector for text, vector in self.vectors.items() if text not in ("b?", "y")}
        two = Examples(self.facts, (*self.dialogues, ((("x",), ("a",)), (("z",),))))
        found = measure_examples(two, vectors, FEW)
        assert len(found.same) == 1
        assert found.continuing.tolist() == [0]
        assert found.changing.tolist() == [1, 1]

    def test_of_too_few_examples_is_refused(self):
        with pytest.raises(BadExamples, match=r"can read 2 facts of the set; 3 are needed"):
            measure_examples(Examples(self.facts, self.dialogues), self.vectors, replace(FEW, fewest=3))


class TestShares:
    def test_weigh_each_group_the_same_however_many_pairs_it_has(self):
        for many in (1, 50):
            assert share_below(0.9, [floats(0.9), floats(*[0.1] * many, 0.2)]) == pytest.approx(0.75)

    @given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=20), st.floats(-1, 1), st.floats(0, 1))
    def test_never_fall_with_the_value(self, values, value, more):
        group = [floats(*values), floats(0.0, 1.0)]
        assert share_below(value, group) <= share_below(value + more, group)


class TestFitting:
    def test_the_local_embedder_gives_the_numbers_that_come_with_it(self, measured: Measured):
        assert fit_calibration(measured, CalibrationConfig()) == CALIBRATIONS[LOCAL_EMBEDDER]

    def test_an_exchange_that_goes_on_counts_nothing_and_a_new_topic_the_most(self, measured: Measured):
        told = replace(measured, continuing=floats(0.1, 0.2, 0.3), changing=floats(0.6, 0.7, 0.8))
        scale = fit_calibration(told, CalibrationConfig()).surprise
        assert scale == SurpriseScale(offset=0.2, width=0.2)
        assert (0.7 - scale.offset) / scale.width == pytest.approx(2.5)

    def test_topics_that_an_embedder_cannot_part_still_give_a_width(self, measured: Measured):
        told = replace(measured, continuing=floats(0.5), changing=floats(0.4))
        assert fit_calibration(told, CalibrationConfig()).surprise.width == 0.01

    @given(st.floats(0.2, 0.9), st.floats(0.0, 0.1))
    def test_thresholds_follow_an_embedder_whose_cosines_are_squeezed(self, measured, scale, shift):
        kinds = ("same", "related", "other", "answered", "unanswered")
        squeezed = replace(measured, **{kind: getattr(measured, kind) * scale + shift for kind in kinds})
        fitted = fit_calibration(squeezed, CalibrationConfig())
        for each in THRESHOLDS:
            expected = getattr(Calibration(), each.field) * scale + shift
            assert getattr(fitted, each.field) == pytest.approx(expected, abs=0.011), each.field

    def test_what_passes_stays_the_same_share(self, measured: Measured):
        squeezed = replace(measured, answered=measured.answered**2, unanswered=measured.unanswered**3)
        fitted = fit_calibration(squeezed, CalibrationConfig())
        before = np.mean(measured.answered >= Calibration().question_cosine)
        after = np.mean(squeezed.answered >= fitted.question_cosine)
        assert after == pytest.approx(before, abs=0.08)


def test_the_examples_name_no_file_of_a_benchmark():
    assert Path(EXAMPLES).is_file()
    assert len(EXAMPLES.read_text().splitlines()) == 36
