import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** The variables that say where programs are. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Where `make helm` puts Helm, for who has none. */
export function ownHelm(environment: Environment = process.env): string {
  const { AFLOAT_CACHE, XDG_CACHE_HOME } = environment;
  const cache = AFLOAT_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'afloat');
  return join(cache, 'helm', 'helm');
}

/**
 * The Helm that renders charts: the one that AFLOAT_HELM names, else the first on the PATH, else the one that `make helm` put in place.
 * Undefined where there is none.
 */
export async function findHelm(environment: Environment = process.env): Promise<string | undefined> {
  const { AFLOAT_HELM: named, PATH = '' } = environment;
  if (named) return (await canRun(named)) ? named : undefined;
  const folders = PATH.split(delimiter).filter(folder => isAbsolute(folder));
  for (const place of [...folders.map(folder => join(folder, 'helm')), ownHelm(environment)])
    if (await canRun(place)) return place;
  return undefined;
}

async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
