"""Creates the database with its schema and the first administrator. May be cut off anywhere and run again; what is there stays."""
import json
import os

import database


def create():
    password = database.read('/run/secrets/database/password')
    with database.connect('root') as root:
        database.ask(root, 'CREATE DATABASE IF NOT EXISTS keystone CHARACTER SET utf8mb3')
        database.ask(root, "CREATE USER IF NOT EXISTS 'keystone'@'%%' IDENTIFIED BY %s", (password,))
        database.ask(root, "GRANT ALL ON keystone.* TO 'keystone'@'%'")


def bring_schema():
    with database.connect(database='keystone') as connection:
        if set(database.own_heads()) <= database.marks(connection):
            return
    code, said = database.run('keystone-manage', 'db_sync')
    if code != 0:
        database.fail(f'keystone-manage db_sync failed: {database.last_words(said)}')


def bootstrap():
    """Once: a second time it would set the administrator's password back. Its last act is the endpoint of identity itself."""
    with database.connect(database='keystone') as connection:
        known = database.ask(
            connection, "SELECT 1 FROM endpoint JOIN service ON service.id = service_id WHERE type = 'identity' LIMIT 1"
        )
    if known:
        print('the first administrator is there: nothing is changed')
        return
    os.environ['OS_BOOTSTRAP_PASSWORD'] = database.read('/run/secrets/admin/password')
    url = os.environ['PUBLIC_URL']
    code, said = database.run(
        'keystone-manage', 'bootstrap', '--bootstrap-region-id', os.environ['REGION'],
        '--bootstrap-public-url', url, '--bootstrap-internal-url', url, '--bootstrap-admin-url', url,
    )
    if code != 0:
        database.fail(f'keystone-manage bootstrap failed: {database.last_words(said)}')


create()
bring_schema()
bootstrap()
head, _ = database.own_heads()
database.leave(json.dumps({'expandedTo': head, 'contractedTo': head}))
