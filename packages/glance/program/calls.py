"""Calls to Keystone and to Glance, as their clients make them."""
import http.client
import json
import os
import urllib.parse

import database


def call(method, url, token=None, body=None, headers=None):
    """Gives status, headers and bytes. A body that is no bytes is sent as JSON."""
    where = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname, where.port or 80, timeout=60)
    try:
        given = {'Content-Type': 'application/json', **(headers or {})}
        if token:
            given['X-Auth-Token'] = token
        content = body if body is None or isinstance(body, bytes) else json.dumps(body)
        path = where.path + (f'?{where.query}' if where.query else '')
        connection.request(method, path, content, given)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def keystone(method, path, token=None, body=None):
    status, headers, text = call(method, os.environ['KEYSTONE_URL'] + path, token, body)
    return status, headers, json.loads(text) if text else None


def login(user, password, project):
    """The answer of Keystone to a password."""
    domain = {'id': 'default'}
    who = {'name': user, 'domain': domain, 'password': password}
    scope = {'project': {'name': project, 'domain': domain}}
    body = {'auth': {'identity': {'methods': ['password'], 'password': {'user': who}}, 'scope': scope}}
    return keystone('POST', '/auth/tokens', body=body)


def service_login():
    return login('glance', database.read('/run/secrets/service/password'), 'service')


def admin_token():
    """A token of the administrator, by the password that its Secret has."""
    status, headers, body = login('admin', database.read('/run/secrets/admin/password'), 'admin')
    if status == 401:
        database.fail('Keystone refuses the password in the Secret keystone-admin: write the one that is in force there')
    if status != 201:
        database.fail(f'Keystone gives the administrator no token: {status} {json.dumps(body)[:300]}')
    return headers['X-Subject-Token']
