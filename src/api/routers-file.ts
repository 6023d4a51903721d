import { list, object, optional, text, type ValueOf } from './schema/schema.ts';

const path = (description: string) => text(description, { max: 4096, min: 1 });
const address = (description: string) => text(description, { max: 64, min: 1 });

const addresses = {
  address: address(
    'The address of this machine or cloud at which clients find every route; `*` is all of them.',
  ),
  previewAddresses: list(
    'Addresses at which one slice alone answers, at the ports of its route: what tests of a new version talk to. One for each slice of a service that stands beside another; services with different ports share them.',
    address('An address.'),
    { max: 64, set: true },
  ),
};

/** The schema of the file that `--routers` names. */
export const routersFile = object('Where the routers are that packages name in `traffic.router`.', {
  haproxy: optional(
    object('An HAProxy, 2.6 or newer, in master-worker mode.', {
      socket: text('The socket of its master, a path or `host:port`: what `haproxy -W -S` names.', {
        max: 253,
        min: 1,
      }),
      folder: path(
        'A folder for one file a route, which HAProxy reads when it starts: `haproxy -f haproxy.cfg -f <folder>`.',
      ),
      ...addresses,
    }),
  ),
  nginx: optional(
    object('An nginx on this machine. It routes requests, no other bytes, and does not count.', {
      command: list(
        'The program and what names its configuration, such as `[nginx, -c, /etc/nginx/nginx.conf]`.',
        text('A word.', { max: 4096, min: 1 }),
        { max: 32 },
      ),
      pidFile: path('The file with the number of its master process.'),
      folder: path('A folder for one file a route; `include <folder>/*.conf;` stands in its `http`.'),
      ...addresses,
    }),
  ),
});

export type RoutersFile = ValueOf<typeof routersFile>;
