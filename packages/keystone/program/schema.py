"""The schema of Keystone's database: says which it has, expands it, contracts it. A schema is called by the mark of its expand branch."""
import json
import sys

import database


def state():
    with database.connect(database=database.name()) as connection:
        expanded, contracted = database.schema_of(database.marks(connection), database.known_schemas())
    if expanded is not None:
        database.leave(json.dumps({'expandedTo': expanded, 'contractedTo': contracted}))


def change(verb):
    """Nothing where it is done already: a task may be run again."""
    index = ('expand', 'contract').index(verb)
    with database.connect(database=database.name()) as connection:
        if database.own_heads()[index] in database.marks(connection):
            print(f'{verb} was done before')
            return
    code, said = database.run('keystone-manage', 'db_sync', f'--{verb}')
    if code != 0:
        # The code of a table that somebody holds: then it is tried again.
        busy = 'DatabaseBusy: ' if 'Lock wait timeout' in said else ''
        database.fail(f'{busy}keystone-manage db_sync --{verb} failed: {database.last_words(said)}')


if sys.argv[1] == 'state':
    state()
else:
    change(sys.argv[1])
    state()
