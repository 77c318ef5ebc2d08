"""An evening on Bridgemates, over Bridgemate's data connector.

initial     what a movement, names and deals are for the connector
connector   the connector itself: the only module that knows its client
polling     what the connector sends, asked for again and again
document    what has come so far, kept beside the evening and written as a file of it
"""
