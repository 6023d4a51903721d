import { nginxTrafficWorld } from '../../testing/nginx-traffic-world.ts';
import { trafficContract } from '../traffic.contract.ts';

trafficContract('A real nginx', nginxTrafficWorld);
