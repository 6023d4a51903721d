import type { Seen } from './walk-clients.ts';

const number = (count: number) => count.toLocaleString('en');

/** What clients saw in a step, in one line: `identity: 1,204 requests, 0 failed (v1.0.0 620, v1.0.1 584)   image: ...`. */
export function saySeen(seen: ReadonlyMap<string, Seen>): string {
  const parts = [...seen].map(([name, { requests, failed, byVersion, unservedMs }]) => {
    const versions = Object.entries(byVersion).map(([version, count]) => `v${version} ${number(count)}`);
    const by = versions.length > 0 ? ` (${versions.join(', ')})` : '';
    const outage = failed > 0 ? `, nobody was served for ${(unservedMs / 1000).toFixed(1)} s` : '';
    return `${name}: ${number(requests)} requests, ${number(failed)} failed${outage}${by}`;
  });
  return `  ${parts.join('   ')}`;
}
