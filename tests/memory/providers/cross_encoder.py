"""A cross-encoder small enough to be made by a test: one layer, random weights, letters as tokens."""

from pathlib import Path
from string import ascii_lowercase


def make_cross_encoder(folder: Path, *, labels: int = 1) -> Path:
    """Save it with its tokenizer. Needs torch and transformers."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    letters = [*ascii_lowercase, *(f"##{letter}" for letter in ascii_lowercase)]
    words = folder / "vocab.txt"
    words.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, ".", "?", ","]))
    made = folder / "cross-encoder"
    BertTokenizerFast(str(words)).save_pretrained(made)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(words.read_text().splitlines()),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=512,
        num_labels=labels,
        initializer_range=1.0,  # else every text has nearly the same score
    )
    BertForSequenceClassification(config).save_pretrained(made)
    return made
