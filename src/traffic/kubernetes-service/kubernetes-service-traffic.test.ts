import { embeddedTrafficWorld } from '../../testing/traffic-world.ts';
import { trafficContract } from '../traffic.contract.ts';
import { openServiceTraffic } from './kubernetes-service-traffic.ts';

trafficContract('Services that the embedded forwarder counts', () =>
  embeddedTrafficWorld(openServiceTraffic, { counts: true }),
);

trafficContract('Services that nobody counts', () =>
  embeddedTrafficWorld(openServiceTraffic, { counts: false }),
);
