"""What a person says of themselves and of how they want to be answered, learned from their words.

`extraction` reads a message, purely; `learning` makes rows of it when the message is asked; `known`
says which of them count for a question; `managing` is what their person makes of them.
"""
