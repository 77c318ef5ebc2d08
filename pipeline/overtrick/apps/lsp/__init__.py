"""The language server for editors: problems, quick fixes, explanations and an outline of PBN and LIN files.

- `answers`: what a text is answered with; it knows no protocol
- `checks`: checks of open texts, away from the loop that answers
- `server`: the protocol, by pygls
"""
