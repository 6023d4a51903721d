"""The database of Keystone: how tasks reach it, and which schema it has."""
import json
import os
import re
import subprocess
import sys

import pymysql

PLACE = '/dev/termination-log'


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read().strip()


def leave(text):
    """The last word of a task, which the manager reads."""
    with open(PLACE, 'w', encoding='utf-8') as file:
        file.write(text[:4000])


def fail(text):
    print(text, file=sys.stderr)
    leave(text)
    sys.exit(1)


def name():
    """The database that a task is about: its own, or a copy on which a change is tried."""
    return os.environ.get('AFLOAT_DATABASE', 'keystone')


def connect(user='keystone', database=None):
    folder = 'mariadb' if user == 'root' else 'database'
    return pymysql.connect(
        host='mariadb', user=user, password=read(f'/run/secrets/{folder}/password'), database=database, autocommit=True
    )


def ask(connection, statement, values=None):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def keystone_environment():
    """The environment in which Keystone's own programs use this database, and wait for no lock for long."""
    seconds = int(os.environ.get('AFLOAT_LOCK_WAIT_SECONDS', '60'))
    password = read('/run/secrets/database/password')
    return {
        **os.environ,
        # Keystone's migrations cannot read an address with a percent sign in it, so what needs one goes beside it.
        'OS_DATABASE__CONNECTION': f'mysql+pymysql://keystone:{password}@mariadb/{name()}?charset=utf8',
        'OS_DATABASE__CONNECTION_PARAMETERS': f'init_command=SET+SESSION+lock_wait_timeout={seconds}',
    }


def run(*words):
    """Runs a program of Keystone; gives its exit code and the end of what it said."""
    done = subprocess.run(words, env=keystone_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end='', flush=True)
    return done.returncode, done.stdout[-1500:]


def last_words(text):
    """What went wrong, by the end of what a program said: without the times of its log, and without the way through its code."""
    plain = re.sub(r'\x1b\[[0-9;]*m', '', text)
    lines = [re.sub(r'^\d{4}-\d\d-\d\d \S+ \d+ [A-Z]+ \S+ (\[[^]]*\] )?', '', line).rstrip() for line in plain.splitlines()]
    told = [line for line in lines if line and not line[0].isspace() and not line.startswith(('Traceback', '(Background'))]
    return ' '.join(told[-2:])[-600:]


def known_schemas():
    """The schemas of this version and of those before it that there are packages of, as [expand, contract]; its own is the last."""
    with open('/opt/afloat/schemas.json', encoding='utf-8') as file:
        return json.load(file)


def own_heads():
    """The newest schema that this Keystone knows: the marks it ships of the two branches, expand and contract."""
    folder = '/usr/lib/python3/dist-packages/keystone/common/sql/migrations/versions'
    return [read(f'{folder}/EXPAND_HEAD'), read(f'{folder}/CONTRACT_HEAD')]


def marks(connection):
    """The marks that the database has; none where it is empty."""
    if not ask(connection, "SHOW TABLES LIKE 'alembic_version'"):
        return set()
    return {row[0] for row in ask(connection, 'SELECT version_num FROM alembic_version')}


def schema_of(marks_there, known):
    """How far a database is expanded and contracted, in marks of the expand branch; (None, None) where that cannot be told."""
    expands = [expand for expand, _ in known]
    contracts = {contract: expand for expand, contract in known}
    others = [mark for mark in marks_there if mark not in contracts]
    if len(others) != 1:
        return None, None  # empty, or newer in both branches than anything this version knows
    [expanded] = others
    left = [contracts[mark] for mark in marks_there if mark in contracts]
    contracted = left[0] if left else expanded
    # Versions that share a contract mark: a schema is never contracted further than it is expanded.
    if expanded in expands and contracted in expands and expands.index(contracted) > expands.index(expanded):
        contracted = expanded
    return expanded, contracted
