"""The contents of the pages of a site and of the PDF documents, and the HTML of the pages.

A module holds one kind of page, or a part that several share: its records, frozen dataclasses of ready values, and the
function that makes them from a session's frames. Templates place the values and compute nothing. Numbers that readers
see are already texts, with a true minus sign, `10` for the ten and `—` for a void; texts are plain English, which the
templates translate.

`session_page` gathers everything in one `SessionPage`, which `html` and `render.pdf` set; `season_page` is the index of
a season. To add a page: a template in `templates/html/`, the record that it shows as a field of `SessionPage`, and a
row of `html.PAGES`.
"""
