import type { WrittenRoute } from '../traffic/written-route.ts';

/** A route of one port with a blue and a green server. */
export function aWrittenRoute(more: Partial<WrittenRoute> = {}): WrittenRoute {
  const server = (slice: string, address: string) => ({
    ...{ slice, name: `${slice}-1`, port: 8000, address, targetPort: 8080 },
  });
  return {
    namespace: 'north',
    service: 'web',
    address: '192.0.2.1',
    selector: { app: 'web' },
    ports: [{ name: 'api', port: 8000, targetPort: 8080, mode: 'http' }],
    weights: { blue: 90, green: 10 },
    previews: {},
    servers: [server('blue', '10.0.0.1'), server('green', '10.0.0.2')],
    ...more,
  };
}
