"""Keystone for uwsgi, warmed up: it builds its policy enforcer at the first request that needs one, without a lock, and answers 403 to
others that come meanwhile. Here each process has it before it takes its first request."""
from keystone.common.rbac_enforcer import enforcer
from keystone.server.wsgi import initialize_public_application

try:
    application = initialize_public_application()
    enforcer.RBACEnforcer()._enforcer.load_rules()
except Exception as error:
    # Its last words: all that uwsgi says in the end is that there was nothing to load.
    with open('/dev/termination-log', 'w', encoding='utf-8') as file:
        file.write(f'{type(error).__name__}: {error}'[:2000])
    raise
