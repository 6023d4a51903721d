/** The settings of a file of lines such as `name = value`. */
import { readFileSync } from 'node:fs';

export function readConf(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  return Object.fromEntries(
    lines.flatMap(line => {
      const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value]];
    }),
  );
}
