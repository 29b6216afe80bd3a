"""Roles at the admin: groups with the rights that a task needs, as this version has them."""

from collections.abc import Iterable

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q, QuerySet

# By role: the rights, as in has_perm.
ROLES = {
    "Retention": """
        memory.view_retentionpolicy memory.add_retentionpolicy memory.view_retentionrun
        memory.view_purgefailure memory.view_legalhold memory.add_legalhold memory.change_legalhold
        memory.view_waitingdeletion memory.view_session memory.view_turn memory.view_user
        memory.view_pendingact citations.view_document
    """,
    "Erasure": """
        memory.view_erasurerequest memory.change_erasurerequest memory.view_exportpackage
        memory.view_certificate memory.view_legalhold memory.view_waitingdeletion memory.view_user
        memory.delete_user memory.view_session memory.delete_session memory.view_turn
        memory.delete_turn memory.view_pendingact citations.view_document citations.delete_document
    """,
    "Library": "citations.view_document citations.delete_document",
    "Audit": "memory.view_auditevent",
    "Emergency": """
        memory.add_emergencyaccess memory.view_emergencyaccess memory.view_user memory.view_session
        memory.view_pendingact
    """,
    "People": """
        memory.view_user memory.add_user memory.change_user memory.view_consent
        memory.view_retentionrun memory.view_session
    """,
}
# Of no role: rights that only operators of the machinery need.
SEEING = """
    memory.view_auditevent memory.view_job chat.view_contextrecord chat.view_modelprofile
    chat.change_modelprofile
"""


def ensure_roles() -> None:
    """Create missing roles, and set the exact rights of each; its holders stay."""
    with transaction.atomic():
        for name, rights in ROLES.items():
            group, _is_new = Group.objects.get_or_create(name=name)
            group.permissions.set(select_permissions(rights.split()))


def list_effective_rights() -> set[str]:
    """Return every right with an effect: those of the roles, and to view the rest."""
    return {*SEEING.split(), *" ".join(ROLES.values()).split()}


def select_permissions(rights: Iterable[str]) -> QuerySet[Permission]:
    """Return the permissions of these rights."""
    wanted = Q(pk__in=[])
    for right in rights:
        app, codename = right.split(".")
        wanted |= Q(content_type__app_label=app, codename=codename)
    return Permission.objects.filter(wanted).select_related("content_type")
