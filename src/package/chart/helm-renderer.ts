import { type Finding, finding } from '../../api/finding.ts';
import { digestJson } from '../../base/digest.ts';
import type { BoundedEnd } from '../bounded-process.ts';
import { withChartFolder } from './chart-folder.ts';
import type { ChartRender, ChartRenderer, ChartRequest } from './chart-renderer.ts';
import { findHelm } from './find-helm.ts';
import { findVarying } from './find-varying.ts';
import { helmFinding, helmMissing } from './helm-finding.ts';
import { type HelmBounds, helmBounds, runHelm } from './helm-process.ts';
import { parseRendered } from './parse-rendered.ts';

/** How a renderer differs from the one that everybody has. */
export interface HelmRendererOptions {
  readonly bounds?: HelmBounds;
  /** Finds the program; undefined where there is none. */
  readonly find?: () => Promise<string | undefined>;
  /** How many characters of what Helm gave are remembered, as objects. */
  readonly cacheCharacters?: number;
}

/** So many charts are rendered at the same time: Helm takes a core each. */
const mostAtOnce = 2;

/** A chart that could not be rendered is not tried again in every pass. */
const askAgainSeconds = 60;

interface Remembered {
  readonly render: ChartRender;
  readonly characters: number;
  /** When it is forgotten, where it is a failure. */
  readonly until?: number;
}

/** Renders charts with the real Helm. What was rendered is remembered by what went in, in memory alone: secret values did. */
export class HelmRenderer implements ChartRenderer {
  readonly #bounds: HelmBounds;
  readonly #find: () => Promise<string | undefined>;
  readonly #cacheCharacters: number;
  /** The one that was asked for least lately comes first. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #underWay = new Map<string, Promise<ChartRender>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({
    bounds = helmBounds,
    find = findHelm,
    cacheCharacters = 32 * 1024 ** 2,
  }: HelmRendererOptions = {}) {
    this.#bounds = bounds;
    this.#find = () => find();
    this.#cacheCharacters = cacheCharacters;
  }

  async render(request: ChartRequest): Promise<ChartRender> {
    const { files: _, ...identity } = request;
    const key = digestJson(identity);
    const known = this.#recall(key);
    if (known) return known;
    const started = this.#underWay.get(key) ?? this.#renderNow(key, request);
    this.#underWay.set(key, started);
    return started;
  }

  async #renderNow(key: string, request: ChartRequest): Promise<ChartRender> {
    try {
      const helm = await this.#find();
      if (helm === undefined) return nothing([helmMissing(request.location)]);
      const { render, characters } = await this.#run(helm, request);
      const isFailure = render.findings.length > 0;
      this.#remember(key, {
        ...{ render, characters },
        ...(isFailure ? { until: performance.now() + askAgainSeconds * 1000 } : {}),
      });
      return render;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #run(helm: string, request: ChartRequest): Promise<{ render: ChartRender; characters: number }> {
    const { files, release, namespace, values, hasStandIns: skipSchema, location, use } = request;
    const ends = await withChartFolder(files, folder => {
      const one = () =>
        this.#inTurn(() =>
          runHelm({ helm, ...folder, release, namespace, values, skipSchema }, this.#bounds),
        );
      return Promise.all(use === 'planned' ? [one(), one()] : [one()]);
    });
    const [first = { kind: 'late' }, second = first]: BoundedEnd[] = ends;
    const failed = [first, second].find(end => end.kind !== 'done');
    if (first.kind !== 'done' || second.kind !== 'done' || failed) {
      const end = failed as Exclude<BoundedEnd, { kind: 'done' }>;
      const found = helmFinding(end, { location, bounds: this.#bounds, isSecret: use === 'real' });
      return { render: nothing([found]), characters: 0 };
    }
    const text = first.bytes.toString('utf8');
    const parsed = parseRendered(text, location);
    const isSame = first === second || first.bytes.equals(second.bytes);
    const compared =
      isSame || parsed.findings.length > 0
        ? { ...parsed, notes: [] }
        : findVarying(
            parsed.objects,
            parseRendered(second.bytes.toString('utf8'), location).objects,
            location,
          );
    const render = { ...compared, notes: [...leftOut(first.errors, location), ...compared.notes] };
    return { render, characters: text.length };
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#running >= mostAtOnce) await new Promise<void>(resolve => this.#waiting.push(resolve));
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  #recall(key: string): ChartRender | undefined {
    const known = this.#remembered.get(key);
    if (!known || (known.until !== undefined && known.until < performance.now())) return undefined;
    this.#remembered.delete(key);
    this.#remembered.set(key, known);
    return known.render;
  }

  #remember(key: string, one: Remembered): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, one);
    let total = [...this.#remembered.values()].reduce((sum, { characters }) => sum + characters, 0);
    for (const [oldest, { characters }] of this.#remembered) {
      if (total <= this.#cacheCharacters && this.#remembered.size <= mostRemembered) return;
      this.#remembered.delete(oldest);
      total -= characters;
    }
  }
}

/** However small they are. */
const mostRemembered = 4096;

function nothing(findings: readonly Finding[]): ChartRender {
  return { objects: [], notes: [], findings };
}

/** Helm leaves out what has a hook that it does not know, and says so only here. */
function leftOut(errors: string, location: string): Finding[] {
  const words = [...errors.matchAll(/skipping unknown hook: "([^"\n]{0,200})"/g)].map(match => match[1]);
  return [...new Set(words)].map(word => {
    const message = `Helm leaves out what has the hook "${word}", which it does not know`;
    return finding('ChartRefused', message, { file: location }, 'Correct the annotation `helm.sh/hook`.');
  });
}
