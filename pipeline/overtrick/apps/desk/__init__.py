"""The desk: everything that a scorer does, in the browser. Routes and forms only, and no logic of its own.

serve      the server: its socket, its end, the page for the local network
guard      what is refused before any page: foreign hosts and origins, no token, too many bytes
desk       the folder, the settings and the evenings that were read, for all pages
visit      one request: its form, and the pages that answer it
app        the routes; each screen is a module below `screens`
"""
