"""The embedder in use, measured on labelled examples; what was found is kept beside the index."""

from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone

from memory.config import EmbedderSpec
from memory.domain.calibration import BadExamples, Measured, fit_calibration, measure_examples, read_examples
from memory.domain.cosines import Calibration, CalibrationConfig
from memory.ports import OnUsage
from memory.providers.registry import embedder
from memory.stores.registry import calibration, calibrations

EXAMPLES = Path(__file__).parent.parent / "data" / "calibration.jsonl"


@dataclass(frozen=True, slots=True)
class Calibrated:
    """An embedder's numbers before and after, and the examples they follow from."""

    spec: EmbedderSpec
    before: Calibration
    after: Calibration
    measured: Measured


def calibrate_embedder(
    data: Path | None = None, *, config: CalibrationConfig | None = None, on_usage: OnUsage | None = None
) -> Calibrated:
    """Embed the examples, those that come with the application or a file's, and keep what they show.

    Doing it again changes nothing. Raises BadExamples and ProviderError; nothing is kept then.
    """
    config = config or CalibrationConfig()
    try:
        lines = (data or EXAMPLES).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise BadExamples(f"{data} cannot be read: {error}") from error
    examples, before, model = read_examples(lines), calibration(), embedder()
    texts = examples.texts()
    found = model.embed(texts, on_usage=on_usage)
    vectors = {text: each.vector for text, each in zip(texts, found, strict=True) if each.vector is not None}
    measured = measure_examples(examples, vectors, config)
    after, spec = fit_calibration(measured, config), EmbedderSpec(model.name, model.dimension)
    calibrations().write(spec, after, measured_at=timezone.now())
    return Calibrated(spec, before, after, measured)
