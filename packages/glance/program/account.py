"""What Glance is to Keystone: an account that may validate tokens, and a place in the catalogue. May be run again; what is there stays."""
import json
import os
import urllib.parse

import calls
import database


def expect(wanted, made, what):
    status, _, body = made
    if status not in wanted:
        database.fail(f'{what}: Keystone answers {status}: {json.dumps(body)[:300]}')
    return body


def find_or_make(token, kind, query, content):
    """The id of the one thing of a kind that these words find; it is made where there is none."""
    words = urllib.parse.urlencode(query)
    found = expect([200], calls.keystone('GET', f'/{kind}s?{words}', token), f'the list of {kind}s')[f'{kind}s']
    if found:
        return found[0]['id'], False
    made = expect([201], calls.keystone('POST', f'/{kind}s', token, {kind: {**query, **content}}), f'a new {kind}')
    print(f'made {kind} {json.dumps(query)}')
    return made[kind]['id'], True


def account(token):
    password = database.read('/run/secrets/service/password')
    project, _ = find_or_make(token, 'project', {'name': 'service', 'domain_id': 'default'}, {})
    role, _ = find_or_make(token, 'role', {'name': 'service'}, {})
    user, is_new = find_or_make(token, 'user', {'name': 'glance', 'domain_id': 'default'}, {'password': password})
    expect([204], calls.keystone('PUT', f'/projects/{project}/users/{user}/roles/{role}', token), 'the role of the account')
    # An account that an earlier install left: nobody else uses it, and the check before an upgrade has asked for its password.
    if not is_new and calls.service_login()[0] == 401:
        expect([200], calls.keystone('PATCH', f'/users/{user}', token, {'user': {'password': password}}), 'a new password')
        print('gave the account the password that its Secret has')
    status, _, body = calls.service_login()
    if status != 201:
        database.fail(f'the account of Glance gets no token: {status} {json.dumps(body)[:300]}')


def catalogue(token):
    service, _ = find_or_make(token, 'service', {'name': 'glance', 'type': 'image'}, {})
    for interface in ('public', 'internal', 'admin'):
        query = {'service_id': service, 'interface': interface, 'region_id': os.environ['REGION']}
        find_or_make(token, 'endpoint', query, {'url': os.environ['PUBLIC_URL']})


admin = calls.admin_token()
account(admin)
catalogue(admin)
