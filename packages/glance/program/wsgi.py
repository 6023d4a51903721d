"""Glance for uwsgi. The older version also reads its paste file as options, and wants it beside them; here no version does."""
from glance.common import wsgi_app

wsgi_app.CONFIG_FILES = ['glance-api.conf']
try:
    application = wsgi_app.init_app()
except Exception as error:
    # Its last words: all that uwsgi says in the end is that there was nothing to load.
    with open('/dev/termination-log', 'w', encoding='utf-8') as file:
        file.write(f'{type(error).__name__}: {error}'[:2000])
    raise
