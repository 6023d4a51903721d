"""What must be true before this version may come: asked with its own software, and nothing is changed. All that is wrong is said at once."""
import os
import re
import subprocess

import pymysql

import calls
import database

NAMESPACES = [
    'glance.api', 'glance.store', 'glance.multi_store', 'keystonemiddleware.auth_token', 'oslo.concurrency', 'oslo.db', 'oslo.log',
    'oslo.messaging', 'oslo.middleware.cors', 'oslo.middleware.http_proxy_to_wsgi', 'oslo.policy',
]
# Options of a backend are in a section that has the name of the backend, and no list of options knows that.
OF_A_BACKEND = r'\w+/filesystem_store_\w+ '


def upgrade_check():
    """Exit code 1 is a warning, by the word of those who wrote it: it is said, and is no reason to stay."""
    code, said = database.run('glance-status', '--config-file', '/etc/glance/glance-api.conf', 'upgrade', 'check')
    if code not in (0, 1):
        words = ' '.join(re.sub(r'[|+-]{2,}|\|', ' ', said).split())
        failed = [one for one in words.split('Check: ') if 'Result: Failure' in one]
        yield f'glance-status upgrade check: {"; ".join(failed) or words[-300:]}'


def config_check():
    words = ['oslo-config-validator', '--input-file', '/etc/glance/glance-api.conf']
    words += [word for namespace in NAMESPACES for word in ('--namespace', namespace)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end='', flush=True)
    found = [line.removeprefix('ERROR:root:') for line in done.stdout.splitlines() if line.startswith('ERROR')]
    wrong = [line for line in found if not re.match(OF_A_BACKEND, line)]
    if wrong or (done.returncode != 0 and not found):
        yield f'oslo-config-validator: {"; ".join(wrong) or done.stdout[-300:]}'


def schema_check(connection):
    expand, _ = database.own_heads()
    there = database.marks(connection)
    own = {migration.revision for migration in database.own_migrations().walk_revisions()}
    expanded, contracted = database.schema_of(there, database.known_schemas())
    if there <= own:
        return  # as it should be, or cut off on the way there: whoever changes it goes on
    if expanded is None:
        yield 'the database has a schema that this version knows nothing of: go to the version that it belongs to'
    else:
        # Expanded for a newer version, and not contracted: an older one goes on working.
        print(f'the schema {expanded} is newer than {expand}, contracted to {contracted}')


def connections_check(root):
    """For a while all of this version stands beside all of the other: the database must have a connection for each thread."""
    need = 1
    for name in ('REPLICAS', 'PROCESSES', 'THREADS'):
        need *= int(os.environ[name])
    most = int(database.ask(root, 'SELECT @@GLOBAL.max_connections')[0][0])
    used = int(database.ask(root, "SHOW GLOBAL STATUS LIKE 'Threads_connected'")[0][1])
    if used + need > most:
        yield f'MariaDB has {most} connections, {used} are in use, and this version may open {need}'


def account_check():
    """Whoever changed the password of the account must have changed its Secret too."""
    if calls.service_login()[0] == 401:
        yield 'the password in the Secret glance-service is not the one of the account: write the one that is in force there'


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
        yield f'the account of Glance cannot use its database: {error.args[1]}'
        return
    with connection:
        if not database.marks(connection):
            print('the database is empty')
            return
        yield from schema_check(connection)
    yield from account_check()
    yield from upgrade_check()


wrong = list(checks())
if wrong:
    database.fail('\n'.join(wrong))
