import { Agent } from 'node:http';

/** Keeps connections, and counts how many it made. */
export class KeepingAgent extends Agent {
  connections = 0;

  override createConnection(...words: Parameters<Agent['createConnection']>) {
    this.connections += 1;
    return super.createConnection(...words);
  }
}
