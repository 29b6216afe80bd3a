"""Attribution: what an answer claims, which of the offered passages bear it out, and how well."""
