"""What must be true before this version may come: asked with its own software, and nothing is changed. All that is wrong is said at once."""
import http.client
import os
import re
import subprocess
import sys

import pymysql

import calls
import database

NAMESPACES = ['keystone', 'oslo.db', 'oslo.cache', 'oslo.log', 'oslo.middleware', 'oslo.policy', 'oslo.messaging']
DUPLICATES = """
    SELECT GROUP_CONCAT(id ORDER BY id SEPARATOR ' ') FROM trust WHERE project_id IS NOT NULL AND expires_at IS NOT NULL
    GROUP BY trustor_user_id, trustee_user_id, project_id, impersonation, expires_at HAVING COUNT(*) > 1 LIMIT 20
"""


def upgrade_check():
    """Exit code 1 is a warning, by the word of those who wrote it: it is said, and is no reason to stay."""
    code, said = database.run('keystone-status', 'upgrade', 'check')
    if code not in (0, 1):
        # A table, with a few lines for each check.
        words = ' '.join(re.sub(r'[|+-]{2,}|\|', ' ', said).split())
        failed = [one for one in words.split('Check: ') if 'Result: Failure' in one]
        yield f'keystone-status upgrade check: {"; ".join(failed) or words[-300:]}'


def config_check():
    words = ['oslo-config-validator', '--input-file', '/etc/keystone/keystone.conf']
    words += [word for namespace in NAMESPACES for word in ('--namespace', namespace)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end='', flush=True)
    if done.returncode != 0:
        found = [line.removeprefix('ERROR:root:') for line in done.stdout.splitlines() if line.startswith('ERROR')]
        yield f'oslo-config-validator: {"; ".join(found) or done.stdout[-300:]}'


def schema_check(connection):
    """Its own programs compare a database with itself; what counts is what this version ships."""
    expand, _ = database.own_heads()
    expanded, contracted = database.schema_of(database.marks(connection), database.known_schemas())
    if expanded is None:
        yield 'the database has a schema that this version knows nothing of: go to the version that it belongs to'
    elif expanded not in [known for known, _ in database.known_schemas()]:
        # Expanded for a newer version, and not contracted: an older one goes on working.
        print(f'the schema {expanded} is newer than {expand}, contracted to {contracted}')


def trust_check(connection):
    """Rows that stand in the way of a unique key which expand adds."""
    expand, _ = database.own_heads()
    if expand in database.marks(connection):
        return
    for (ids,) in database.ask(connection, DUPLICATES):
        yield f'trusts {ids} are the same but for parts of a second, and only one of them may stay: remove the others'


def connections_check(root):
    """For a while all of this version stands beside all of the other: the database must have a connection for each thread."""
    need = 1
    for name in ('REPLICAS', 'PROCESSES', 'THREADS'):
        need *= int(os.environ[name])
    most = int(database.ask(root, 'SELECT @@GLOBAL.max_connections')[0][0])
    used = int(database.ask(root, "SHOW GLOBAL STATUS LIKE 'Threads_connected'")[0][1])
    if used + need > most:
        yield f'MariaDB has {most} connections, {used} are in use, and this version may open {need}'


def password_check():
    """The test logs in as the administrator. Whoever changed that password must have changed its Secret too."""
    try:
        status, _, _ = calls.password_login()
    except (OSError, http.client.HTTPException) as error:
        print(f'nobody answers at keystone, so nobody can be asked for the password: {error}')
        return
    if status == 401:
        yield 'the password in the Secret keystone-admin is not the one of the administrator: write the one that is in force there'


def checks():
    yield from config_check()
    with database.connect('root') as root:
        yield from connections_check(root)
        if not database.ask(root, 'SHOW DATABASES LIKE %s', (database.name(),)):
            print('there is no database yet')
            return
    if database.name() in os.environ.get('AFLOAT_RESTORES', '').split():
        print('the database is going to be restored: as it is now it says nothing')
        return
    try:
        connection = database.connect(database=database.name())
    except pymysql.err.OperationalError as error:
        yield f'the account of Keystone cannot use its database: {error.args[1]}'
        return
    with connection:
        if not database.marks(connection):
            print('the database is empty')
            return
        yield from schema_check(connection)
        yield from trust_check(connection)
    yield from password_check()
    yield from upgrade_check()


wrong = list(checks())
if wrong:
    database.fail('\n'.join(wrong))
sys.exit(0)
