"""Websocket addresses, behind the session cookie or a ticket."""

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from django.urls import re_path

from api.ws.consumer import ChatConsumer, NowhereConsumer
from api.ws.doors import OriginOrTicket

websocket_urlpatterns = [
    re_path(r"^ws/chat/(?P<session>.+)$", ChatConsumer.as_asgi(), name="chat"),
    re_path(r"", NowhereConsumer.as_asgi(), name="nowhere"),
]
websocket_application = OriginOrTicket(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))
