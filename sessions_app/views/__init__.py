"""Pages that span the tiers: the conversation, and what is remembered of it."""
