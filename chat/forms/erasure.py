"""Forms of erasures and of their certificates."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from memory.forgetting.erasure.certificates import LONGEST


class ConfirmErasureForm(forms.Form):
    sure = forms.BooleanField(label=_("Erase it. I understand that this can’t be undone."))


class CertificateForm(forms.Form):
    """A certificate, pasted or uploaded."""

    text = forms.CharField(
        label=_("Paste the certificate"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(label=_("Or choose its file"), required=False, max_length=200)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not given.get("text") and not given.get("file"):
            raise ValidationError(_("Paste a certificate, or choose its file."))
        return given

    @property
    def certificate(self) -> str:
        """The given text; a file that isn't text is no certificate."""
        file = self.cleaned_data["file"]
        if file is None:
            return str(self.cleaned_data["text"])
        return bytes(file.read(LONGEST + 1)).decode("utf-8", "replace")
