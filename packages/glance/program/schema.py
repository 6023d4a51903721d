"""The schema of Glance's database: says which it has, expands it, moves its rows, contracts it. A schema is called by the mark of its expand branch."""
import json
import sys

import database


def state():
    with database.connect(database=database.name()) as connection:
        expanded, contracted = database.schema_of(database.marks(connection), database.known_schemas())
    if expanded is not None:
        database.leave(json.dumps({'expandedTo': expanded, 'contractedTo': contracted}))


if sys.argv[1] != 'state':
    database.own_heads()
    database.manage(sys.argv[1])  # says so and does nothing where it is done: a task may be run again
state()
