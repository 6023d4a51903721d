import { haproxyTrafficWorld } from '../../testing/haproxy-traffic-world.ts';
import { trafficContract } from '../traffic.contract.ts';

trafficContract('A real HAProxy', haproxyTrafficWorld);
