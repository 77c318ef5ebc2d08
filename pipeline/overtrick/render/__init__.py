"""From frames to what people read.

- `bulletin`, `season_site`: the website of a session and of a season, written as a folder
- `pages/`: what pages and documents show, and the HTML of the pages
- `pdf`, `pdf_size`: the documents to print, and what makes them small
- `pictures`: the pictures of shared links
- `look`: the club's own templates, logo and colour
- `data/`: JSON, CSV, SARIF, and the PBN and LIN files beside the pages
- `terminal`: tables, problems and audits as text
- `languages`: the languages of pages, one catalogue each in `templates/languages/`
- `privacy`, `display`, `slugs`, `atomic_write`: what the others share
"""
