"""The root ASGI callable: `websocket` to Channels, `http` to Django."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lychee_site.settings")
django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402

from api.ws.routing import websocket_application  # noqa: E402

application = ProtocolTypeRouter({"http": django_application, "websocket": websocket_application})
