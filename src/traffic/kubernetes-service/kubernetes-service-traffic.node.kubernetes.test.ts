import { nodeTrafficWorld } from '../../testing/node-traffic-world.ts';
import { trafficContract } from '../traffic.contract.ts';
import { openServiceTraffic } from './kubernetes-service-traffic.ts';

trafficContract('Services of a real Kubernetes', () => nodeTrafficWorld(openServiceTraffic));
