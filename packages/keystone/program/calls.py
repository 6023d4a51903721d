"""Calls to Keystone, as its clients make them."""
import http.client
import json

import database


def call(method, path, token=None, body=None, host='keystone', port=5000, **headers):
    connection = http.client.HTTPConnection(host, port, timeout=30)
    try:
        given = {'Content-Type': 'application/json', **headers}
        if token:
            given['X-Auth-Token'] = token
        connection.request(method, path, json.dumps(body) if body else None, given)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, answer.headers, json.loads(text) if text else None
    finally:
        connection.close()


def password_login(**where):
    """A token for the administrator, by the password that its Secret has."""
    user = {'name': 'admin', 'domain': {'id': 'default'}, 'password': database.read('/run/secrets/admin/password')}
    scope = {'project': {'name': 'admin', 'domain': {'id': 'default'}}}
    body = {'auth': {'identity': {'methods': ['password'], 'password': {'user': user}}, 'scope': scope}}
    return call('POST', '/v3/auth/tokens', body=body, **where)
