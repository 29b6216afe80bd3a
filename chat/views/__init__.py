"""The pages: of conversations, of the library, of the account."""
