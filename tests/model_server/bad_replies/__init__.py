"""Replies that models really give when asked for records, each with its right outcome."""

from tests.model_server.bad_replies.table import BAD_REPLIES, SEGMENT, BadReply, Outcome

__all__ = ["BAD_REPLIES", "SEGMENT", "BadReply", "Outcome"]
