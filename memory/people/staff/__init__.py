"""Staff: roles and rights, commands of the server, emergency access, and approvals."""
