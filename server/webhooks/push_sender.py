"""Sender of push alerts: tells players' devices through the push services of their browsers that they must decide."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol
from urllib.parse import urlsplit

from server.clock import Clock
from server.storage.port import PushRecord
from server.webhooks import address_check as targets
from server.webhooks.address_check import Resolve
from server.webhooks.alerts import Alert, text_of
from server.webhooks.payloads import Body
from server.webhooks.push_key import PushKey, encrypted
from server.webhooks.sender import Deliveries, Letter, Settled, ignore

LONGEST: Final = 1000
"""Limit of an endpoint's characters; some push services use more than 500."""
KEPT: Final = 24 * 3600
"""Seconds for which a push service keeps an alert for a device that is off."""
_GONE: Final = (404, 410)
"""Status codes of subscriptions that have ended."""


class Subscriptions(Protocol):
    """Directory of the players' devices."""

    def pushes(self, person: str) -> Sequence[PushRecord]:
        """Return the devices of a profile that are alerted."""

    async def drop_push(self, person: str, endpoint: str) -> None:
        """Delete a device whose subscription has ended. Raises StoreError."""


class PushSender(Deliveries):
    """Sender of push alerts, with a queue for each device. `devices` is set before the first alert."""

    def __init__(self, clock: Clock, key: PushKey, loopback: bool = False, resolve: Resolve = targets.resolve) -> None:
        super().__init__(clock, loopback, resolve, "push", "device", LONGEST)
        self.key = key
        self.devices: Subscriptions | None = None
        self._dropping: set[asyncio.Task[None]] = set()

    def reaches(self, person: str) -> bool:
        """Whether any device of that profile is alerted."""
        return bool(person and self.devices is not None and self.devices.pushes(person))

    def alert(
        self, person: str, alert: Alert, zone: str = "UTC", settled: Callable[[], Settled] = lambda: ignore
    ) -> None:
        """Queue an alert for all devices of a profile, with times of that zone.

        `settled` is asked for each device's `Letter.settled`.
        """
        for device in self.devices.pushes(person) if self.devices is not None else ():
            key = hashlib.sha256(device.endpoint.encode()).hexdigest()[:12]  # The address itself must not be logged.
            body = partial(self._body, device, alert, zone)
            failed = partial(self._forget_ended_device, person, device.endpoint)
            self.queue(Letter(key, device.endpoint, body, failed, settled()))

    async def close(self) -> None:
        """Cancel all waiting alerts."""
        await super().close()
        await asyncio.gather(*self._dropping, return_exceptions=True)

    def _body(self, device: PushRecord, alert: Alert, zone: str) -> Body:
        """Return the encrypted and signed request."""
        parts = urlsplit(device.endpoint)
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(KEPT),
            "Urgency": "high",
            # A newer alert of the match replaces one that still waits at the push service.
            "Topic": alert.match or "trial",
            "Authorization": self.key.authorization(f"{parts.scheme}://{parts.netloc}"),
        }
        return Body(headers, encrypted(payload(alert, device.language, zone), device))

    def _forget_ended_device(self, person: str, endpoint: str, status: int) -> None:
        """Delete a device whose subscription has ended."""
        if status in _GONE and self.devices is not None:
            task = asyncio.create_task(self.devices.drop_push(person, endpoint))
            self._dropping.add(task)
            task.add_done_callback(self._dropping.discard)


def payload(alert: Alert, language: str, zone: str = "UTC") -> bytes:
    """Return what a device is told: title, text, language, match, and the path of the page's link.

    It brings its words in the device's language, so that the page's service worker needs none of its own.
    """
    said = text_of(alert, language, zone)
    told = {
        "title": said.title,
        "body": said.body,
        "lang": said.language,
        "match": alert.match,
        "link": f"/watch#{alert.code}" if alert.code else "/",
    }
    return json.dumps(told, ensure_ascii=False).encode()
