import type { TestProject } from 'vitest/node';
import { openNodeDoor } from './node-door.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For `askForNode`: a whole node, with Pods that run. */
    kubernetesNode: string;
  }
}

/** Opens the door to one node for all files of the suite in which Pods run. It is started when the first test asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const door = await openNodeDoor(line => console.log(line));
  project.provide('kubernetesNode', door.socket);
  return () => door.close();
}
