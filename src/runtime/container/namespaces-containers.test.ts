import { describe, test } from 'vitest';
import { whyNoNamespaces } from '../isolation/namespaces/probe-namespaces.ts';
import { describeAdoption } from './adopt.contract.ts';
import { describeContainers } from './containers.contract.ts';

const reason = await whyNoNamespaces();
if (reason === undefined) {
  describeContainers('namespaces');
  describeAdoption('namespaces');
} else describe('containers in namespaces', () => test.skip(reason));
