import { nodeDriverWorld } from '../testing/node-driver-world.ts';
import { driverContract } from './driver.contract.ts';

driverContract('drivers on a real Kubernetes', nodeDriverWorld);
