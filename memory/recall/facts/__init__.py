"""Facts about a person and wishes for answers, learned from their words.

`extraction` reads a message, without side effects. `learning` stores the results when the message
is asked. `known` selects those that count for a question. `managing` handles the person's changes.
"""
