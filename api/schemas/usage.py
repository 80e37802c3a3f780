"""What `/usage` asks and tells."""

from datetime import date

from ninja import Field, Schema

from sessions_app.selectors import UsageRow


class UsagePeriod(Schema):
    """How many days, today included."""

    days: int = Field(30, ge=1, le=366)


class UsageItem(Schema):
    """What one model took for one purpose on one day."""

    day: date
    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    estimated_calls: int = Field(description="Of the calls, those whose tokens were counted here.")

    @classmethod
    def of(cls, row: UsageRow) -> "UsageItem":
        """From the selector's row."""
        return cls.model_validate(row)


class UsageReport(Schema):
    """The rows and their totals."""

    items: list[UsageItem]
    calls: int
    input_tokens: int
    output_tokens: int
    estimated_calls: int

    @classmethod
    def of(cls, items: list[UsageItem]) -> "UsageReport":
        """Add up."""
        return cls(
            items=items,
            calls=sum(item.calls for item in items),
            input_tokens=sum(item.input_tokens for item in items),
            output_tokens=sum(item.output_tokens for item in items),
            estimated_calls=sum(item.estimated_calls for item in items),
        )
