"""A bucket that speaks S3, asked in bounded time: by itself its library waits for five minutes."""

from typing import Any

from botocore.config import Config
from storages.backends.s3 import S3Storage

CONNECT_SECONDS, READ_SECONDS, ATTEMPTS = 5, 10, 2


class BucketStorage(S3Storage):  # type: ignore[misc]
    """Django's storage over a bucket; what does not answer soon has failed."""

    def get_default_settings(self) -> dict[str, Any]:
        """The library's, with our times."""
        times = Config(
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"total_max_attempts": ATTEMPTS},
        )
        return {**super().get_default_settings(), "client_config": times}
