"""The proof of a version: every kind of call that clients rely on, often enough to see what fails one time in fifty, several at once."""
import concurrent.futures
import functools
import http.client
import json
import os
import sys
import time
import uuid

import database
from calls import call, password_login

CALLS = int(os.environ.get('TEST_CALLS', '200'))
WORKERS = 4  # enough to meet each other, few enough to leave room for who serves beside
KIND = 'afloat-test'


def expect(want, made, what):
    status, headers, body = made
    if status != want:
        raise AssertionError(f'{what} was answered {status} instead of {want}: {json.dumps(body)[:300]}')
    return headers, body


def authenticate(**where):
    headers, _ = expect(201, password_login(**where), 'a token by password')
    return headers['X-Subject-Token']


def validate(token, of):
    _, body = expect(200, call('GET', '/v3/auth/tokens', token, **{'X-Subject-Token': of}), 'the validation of a token')
    if body['token']['user']['name'] != 'admin':
        raise AssertionError('the validation of a token names somebody else')


def list_users(token):
    _, body = expect(200, call('GET', '/v3/users?name=admin', token), 'a list of users')
    if len(body['users']) != 1:
        raise AssertionError(f'a list of users: {len(body["users"])} are called admin')


def create_credential(token):
    """What is kept under the credential keys. Deleting one is cheap; a deleted user makes Keystone forget all that it had cached."""
    secret = {'type': KIND, 'blob': uuid.uuid4().hex, 'user_id': who(token)}
    _, body = expect(201, call('POST', '/v3/credentials', token, {'credential': secret}), 'a credential created')
    if body['credential']['blob'] != secret['blob']:
        raise AssertionError('a credential created: it is another one')
    return body['credential']['id']


def delete_credential(token, credential):
    expect(204, call('DELETE', f'/v3/credentials/{credential}', token), 'a credential deleted')


def create_user(token):
    user = {'name': f'{KIND}-{uuid.uuid4().hex}', 'password': uuid.uuid4().hex}
    _, body = expect(201, call('POST', '/v3/users', token, {'user': user}), 'a user created')
    return body['user']['id']


def delete_user(token, user):
    expect(204, call('DELETE', f'/v3/users/{user}', token), 'a user deleted')
    expect(404, call('GET', f'/v3/users/{user}', token), 'a user that was deleted')


@functools.cache
def who(token):
    _, body = expect(200, call('GET', '/v3/auth/tokens', token, **{'X-Subject-Token': token}), 'the validation of a token')
    return body['token']['user']['id']


def tidy(token):
    """What a test left that was cut off."""
    for kind, query in (('users', f'name__startswith={KIND}'), ('credentials', f'type={KIND}')):
        _, body = expect(200, call('GET', f'/v3/{kind}?{query}', token), f'the {kind} of an earlier test')
        for one in body[kind]:
            call('DELETE', f'/v3/{kind}/{one["id"]}', token)


def token_of_who_serves():
    """A token by the version that serves clients now; none where nobody does."""
    host, port = os.environ.get('KEYSTONE_SERVING_HOST'), os.environ.get('KEYSTONE_SERVING_PORT')
    return authenticate(host=host, port=int(port)) if host and port else None


def main():
    old = token_of_who_serves()
    token = authenticate()
    tidy(token)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        def often(what, work, over=range(CALLS)):
            begin = time.monotonic()
            made = list(pool.map(work, over))
            print(f'{len(made)} times {what} in {time.monotonic() - begin:.1f} s', flush=True)
            return made

        often('authenticate', lambda _: authenticate())
        often('validate', lambda _: validate(token, token))
        if old is not None:
            often('validate a token of the version that serves', lambda _: validate(old, old))
        often('list', lambda _: list_users(token))
        credentials = often('create', lambda _: create_credential(token))
        often('delete', lambda one: delete_credential(token, one), credentials)
        users = often('create users', lambda _: create_user(token), range(10))
        often('delete users', lambda one: delete_user(token, one), users)


try:
    main()
except (AssertionError, OSError, ValueError, http.client.HTTPException) as error:
    database.fail(f'{error or type(error).__name__}')
sys.exit(0)
