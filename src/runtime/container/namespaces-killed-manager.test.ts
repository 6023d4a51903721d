import { describe, test } from 'vitest';
import { whyNoNamespaces } from '../isolation/namespaces/probe-namespaces.ts';
import { describeKilledManager } from './killed-manager.contract.ts';

const reason = await whyNoNamespaces();
if (reason === undefined) describeKilledManager('namespaces');
else describe('a manager that is killed, in namespaces', () => test.skip(reason));
