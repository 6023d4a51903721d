import { inject } from 'vitest';
import { askForNode } from '../../scripts/kubernetes/node-door.ts';
import type { TestNode } from '../../scripts/kubernetes/test-node.ts';
import { type JourneyWorld, openJourneyWorld } from '../journeys/engine/journey-world.ts';
import { nodePlace } from './node-place.ts';

/** The node of the test run. */
export function theNode(): Promise<TestNode> {
  return askForNode(inject('kubernetesNode'));
}

/** A world for journeys in a namespace of its own on the node of the test run. */
export async function openNodeWorld(): Promise<JourneyWorld> {
  const node = await theNode();
  return openJourneyWorld(folder => nodePlace(node, folder));
}
