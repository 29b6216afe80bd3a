"""One-time links and tokens under concurrent requests, at a real server."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tests.servers import Web

AT_ONCE = 12
PACKAGE = """
from datetime import timedelta
from django.utils import timezone
from memory.models import ExportPackage, PackagePart, User
person = User.objects.get(username="owner")
package = ExportPackage.objects.create(
    owner=person, status="ready", size=5, expires_at=timezone.now() + timedelta(days=1)
)
part = PackagePart(package=package, owner_id=person.pk, number=1)
part.payload = b"whole"
part.save(force_insert=True)
print(package.pk)
"""


def test_of_many_who_open_a_package_by_its_link_one_has_it(start_web: Callable[..., Web]) -> None:
    web = start_web()
    package = web.python(PACKAGE).split()[-1]
    clients = [web.client("owner") for _ in range(AT_ONCE)]
    path = clients[0].post(f"/api/v1/packages/{package}/link", json={}).json()["path"]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(lambda client: client.get(path), clients))
    assert [answer.content for answer in answers if answer.status_code == 200] == [b"whole"]
    assert {answer.status_code for answer in answers} == {200, 404}
