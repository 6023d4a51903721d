"""What must be true before this version may come: asked with its own software, and nothing is changed. All that is wrong is said at once."""
import subprocess
import sys

import pymysql

import database

NAMESPACES = ['keystone', 'oslo.db', 'oslo.cache', 'oslo.log', 'oslo.middleware', 'oslo.policy', 'oslo.messaging']
DUPLICATES = """
    SELECT GROUP_CONCAT(id ORDER BY id SEPARATOR ' ') FROM trust WHERE project_id IS NOT NULL AND expires_at IS NOT NULL
    GROUP BY trustor_user_id, trustee_user_id, project_id, impersonation, expires_at HAVING COUNT(*) > 1 LIMIT 20
"""


def upgrade_check():
    code, said = database.run('keystone-status', 'upgrade', 'check')
    if code != 0:
        yield f'keystone-status upgrade check failed: {said}'


def config_check():
    words = ['oslo-config-validator', '--input-file', '/etc/keystone/keystone.conf']
    words += [word for namespace in NAMESPACES for word in ('--namespace', namespace)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        yield f'oslo-config-validator finds options that this version does not know: {done.stdout[-800:]}'


def schema_check(connection):
    """Its own programs compare a database with itself; what counts is what this version ships."""
    expand, _ = database.own_heads()
    expanded, contracted = database.schema_of(database.marks(connection), database.known_schemas())
    if expanded is None:
        yield 'the database has a schema that this version knows nothing of: upgrade to the version that it belongs to'
    elif expanded not in [known for known, _ in database.known_schemas()]:
        # Expanded for a newer version, and not contracted: an older one goes on working.
        print(f'the schema {expanded} is newer than {expand}, contracted to {contracted}')


def trust_check(connection):
    """Rows that stand in the way of a unique key which expand adds."""
    expand, _ = database.own_heads()
    if expand in database.marks(connection):
        return
    for (ids,) in database.ask(connection, DUPLICATES):
        yield f'trusts {ids} are the same but for parts of a second, and the new schema allows one of them: remove the others'


def checks():
    yield from config_check()
    with database.connect('root') as root:
        if not database.ask(root, 'SHOW DATABASES LIKE %s', (database.name(),)):
            print('there is no database yet')
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
    yield from upgrade_check()


wrong = list(checks())
if wrong:
    database.fail('\n'.join(wrong))
sys.exit(0)
