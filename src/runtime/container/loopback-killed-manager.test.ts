import { describeKilledManager } from './killed-manager.contract.ts';

describeKilledManager('loopback');
