import { embeddedDriverWorld } from '../testing/embedded-driver-world.ts';
import { driverContract } from './driver.contract.ts';

driverContract('drivers in the embedded world', embeddedDriverWorld);
