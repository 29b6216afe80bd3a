"""Every route of the URLconf, and who may use it: one that isn't listed here fails CI (P01).

PUBLIC needs no account. OPERATOR needs none either, but METRICS_TOKEN, or to be on this machine:
nobody's words or names are there (tests/test_metrics.py). PERSON is about whoever is signed in, and
names nothing of anyone's in its path. OWN names a thing in its path that belongs to one person: for
everyone else it doesn't exist.
STAFF is for those who run the place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import get_resolver

PUBLIC, OPERATOR, PERSON, OWN, STAFF = "public", "operator", "person", "own", "staff"

MANIFEST = {
    PUBLIC: """
        healthz readyz favicon.ico sign_in_once account_login account_signup account_inactive
        account_confirm_email account_email_verification_sent account_confirm_login_code
        account_reset_password account_reset_password_done account_reset_password_from_key
        account_reset_password_from_key_done mfa_authenticate mfa_login_webauthn account_logout
        chat:erasure_status chat:certificates chat:certificate chat:certificate_file
    """,
    OPERATOR: "metrics",
    PERSON: """
        account_email account_change_password account_set_password account_reauthenticate mfa_index
        mfa_reauthenticate mfa_activate_totp mfa_deactivate_totp mfa_view_recovery_codes
        mfa_generate_recovery_codes mfa_download_recovery_codes mfa_list_webauthn mfa_add_webauthn
        mfa_reauthenticate_webauthn usersessions_list
        chat:levels chat:write_fact
        chat:home chat:conversations chat:start chat:search chat:library chat:upload chat:choices
        chat:rows chat:settings chat:keeping chat:tokens chat:new_token chat:end_access
        chat:activity chat:data chat:data_events chat:decisions chat:decide chat:ask_for_package
        api:consents api:decisions
        api:packages chat:erasure chat:confirm_erasure chat:cancel_erasure api:erasures
        api:levels api:recollections api:facts
        api:sessions api:models api:search api:documents api:query api:retrieval api:verify
        api:chosen_sources api:import_sources chat:import_sources
        chat:take_over_sources chat:examples schema docs
        api/docs/ api/schema/
    """,
    OWN: """
        mfa_remove_webauthn mfa_edit_webauthn chat:sign_out_device chat:revoke_token
        chat:conversation chat:lifetime chat:extend chat:close chat:reopen chat:title chat:delete
        chat:style chat:arrange chat:sources chat:export chat:exports
        chat:limit chat:ask chat:turn chat:stop chat:retry chat:continue chat:feedback
        chat:context chat:citation chat:citation_page chat:page_picture chat:table
        api:citation_pages api:page
        chat:document chat:citing chat:edit chat:undo_edit chat:replace
        chat:keep_both chat:restore chat:changes chat:reread chat:original chat:delete_document
        chat:reach chat:correct_fact chat:confirm_fact chat:delete_fact chat:undo_fact
        chat:summary chat:one_summary chat:summary_back chat:summary_again
        chat:memory chat:remember chat:entity chat:forget chat:standing
        chat:package chat:package_link chat:package_file chat:discard_package
        chat:delete_turn api:erasure
        api:package api:package_link api:package_file
        api:session api:extend api:history api:summary api:summaries
        api:one_summary api:summary_again api:topics api:sources api:export api:turns api:turn
        api:events api:session_deletion api:turn_deletion
        api:stop api:retry api:continue api:context api:table api:document api:reread api:passages
        api:original api:version_changes api:document_sources
        api:memory api:entities api:entity api:standing api:fact api:undo_fact
    """,
}
CLASSES = {name: kind for kind, names in MANIFEST.items() for name in names.split()}
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True)
class Route:
    """One pattern of the URLconf."""

    name: str
    pattern: str

    @property
    def access(self) -> str | None:
        return STAFF if self.name.startswith("admin:") else CLASSES.get(self.name)

    @property
    def parameters(self) -> list[str]:
        return [typed or plain for typed, plain in PARAMETER.findall(self.pattern)]

    def path(self, values: dict[str, Any]) -> str:
        """Return the address with these values in the places of its parameters."""
        filled = PARAMETER.sub(lambda found: str(values[found[1] or found[2]]), self.pattern)
        return "/" + filled.replace("^", "").replace("$", "").replace(r"\Z", "")


def routes() -> list[Route]:
    """Return every route that the product answers."""
    return list(_walk(get_resolver().url_patterns))


def _walk(patterns: Any, pattern: str = "", namespace: str = "") -> Iterator[Route]:
    for entry in patterns:
        whole = pattern + str(entry.pattern)
        if hasattr(entry, "url_patterns"):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from _walk(entry.url_patterns, whole, inner)
        else:
            yield Route(f"{namespace}{entry.name or whole}", whole)
