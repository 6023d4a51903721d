"""The proof of a version: every kind of call that clients rely on, often enough to see what fails one time in fifty, several at once."""
import concurrent.futures
import hashlib
import http.client
import json
import os
import time
import uuid

import calls
import database

CALLS = int(os.environ.get('TEST_CALLS', '30'))
WORKERS = 4  # enough to meet each other, few enough to leave room for who serves beside
TAG = 'afloat-test'
BYTES = 256 * 1024
GLANCE = 'http://glance:9292'


def expect(want, made, what):
    status, headers, body = made
    if status != want:
        raise AssertionError(f'{what} was answered {status} instead of {want}: {body[:300]!r}')
    return headers, body


def glance(token, method, path, body=None, **headers):
    return calls.call(method, f'{GLANCE}{path}', token, body, {name.replace('_', '-'): value for name, value in headers.items()})


def list_images(token, query='limit=5'):
    _, body = expect(200, glance(token, 'GET', f'/v2/images?{query}'), 'a list of images')
    return json.loads(body)['images']


def create(token):
    wish = {'name': f'{TAG}-{uuid.uuid4().hex}', 'tags': [TAG], 'disk_format': 'raw', 'container_format': 'bare'}
    _, body = expect(201, glance(token, 'POST', '/v2/images', wish), 'an image created')
    image = json.loads(body)
    if (image['name'], image['status']) != (wish['name'], 'queued'):
        raise AssertionError(f'an image created: it is {image["status"]} and called {image["name"]}')
    return image['id']


def content_of(image):
    """Other bytes for each image, and none that are easy to guess."""
    block = hashlib.sha512(image.encode()).digest()
    return block * (BYTES // len(block))


def upload(token, image):
    expect(204, glance(token, 'PUT', f'/v2/images/{image}/file', content_of(image), Content_Type='application/octet-stream'), 'an upload')
    _, body = expect(200, glance(token, 'GET', f'/v2/images/{image}'), 'an image read')
    found = json.loads(body)
    want = hashlib.sha512(content_of(image)).hexdigest()
    if (found['status'], found['size'], found['os_hash_value']) != ('active', BYTES, want):
        raise AssertionError(f'an upload: the image is {found["status"]}, {found["size"]} bytes, or has another hash')


def download(token, image):
    _, body = expect(200, glance(token, 'GET', f'/v2/images/{image}/file'), 'a download')
    if body != content_of(image):
        raise AssertionError(f'a download: {len(body)} bytes, which are not those of the upload')


def delete(token, image):
    expect(204, glance(token, 'DELETE', f'/v2/images/{image}'), 'an image deleted')
    expect(404, glance(token, 'GET', f'/v2/images/{image}'), 'an image that was deleted')


def tidy(token):
    """What a test left that was cut off, and no other image, nor those of a test that runs now."""
    hour_ago = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() - 3600))
    for image in list_images(token, f'tag={TAG}&limit=1000'):
        if image['name'].startswith(f'{TAG}-') and image['created_at'] < hour_ago:
            glance(token, 'DELETE', f'/v2/images/{image["id"]}')


def main():
    token = calls.admin_token()
    tidy(token)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        def often(what, work, over=range(CALLS)):
            begin = time.monotonic()
            made = list(pool.map(work, over))
            print(f'{len(made)} times {what} in {time.monotonic() - begin:.1f} s', flush=True)
            return made

        expect(401, glance('nobody', 'GET', '/v2/images'), 'a list for nobody')
        often('list', lambda _: list_images(token))
        images = often('create', lambda _: create(token))
        often('upload', lambda image: upload(token, image), images)
        often('download', lambda image: download(token, image), images)
        often('delete', lambda image: delete(token, image), images)


try:
    main()
except (AssertionError, OSError, ValueError, http.client.HTTPException) as error:
    database.fail(f'{error or type(error).__name__}')
