"""Creates the database with its schema. May be cut off anywhere and run again; what is there stays."""
import json

import database


def create():
    password = database.read('/run/secrets/database/password')
    with database.connect('root') as root:
        database.ask(root, 'CREATE DATABASE IF NOT EXISTS glance CHARACTER SET utf8mb3')
        database.ask(root, "CREATE USER IF NOT EXISTS 'glance'@'%%' IDENTIFIED BY %s", (password,))
        database.ask(root, "GRANT ALL ON glance.* TO 'glance'@'%'")


head, _ = database.own_heads()
create()
database.manage('sync')
database.leave(json.dumps({'expandedTo': head, 'contractedTo': head}))
