"""Files for dealing machines, and other lists of deals: `machines` has the table of them.

Most of these formats are described nowhere but in the programs that write them. Machines number the cards from the
spade ace down to the club two, and the hands from North on.
"""
