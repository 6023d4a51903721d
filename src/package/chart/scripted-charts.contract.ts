import type { ChartRender, ChartRenderer, ChartRequest } from './chart-renderer.ts';
import { parseRendered } from './parse-rendered.ts';

/** A renderer for tests without Helm: what a chart gives for a request is said by a function. It remembers what it was asked. */
export class ScriptedCharts implements ChartRenderer {
  readonly requests: ChartRequest[] = [];
  readonly #write: (request: ChartRequest) => string;

  /** `write` gives what Helm would write. */
  constructor(write: (request: ChartRequest) => string) {
    this.#write = write;
  }

  async render(request: ChartRequest): Promise<ChartRender> {
    this.requests.push(request);
    return { ...parseRendered(this.#write(request), request.location), notes: [] };
  }
}

/** One object as Helm writes it. */
export function piece(file: string, text: string): string {
  return `---\n# Source: c/${file}\n${text}\n`;
}
