import { type Finding, finding } from '../api/finding.ts';
import { identityKey, identityOf } from './object-kinds.ts';
import type { RenderedObject } from './package.ts';

/** One rendered part of a service, and where it comes from. */
export interface RenderedPart {
  readonly service: string;
  readonly component: string;
  readonly hostGroup?: string;
  /** Of its package, for messages. */
  readonly location: string;
  readonly objects: readonly RenderedObject[];
}

/** An object that two parts bring, and whose parts those are. */
export interface Clash {
  readonly services: readonly string[];
  readonly finding: Finding;
}

/**
 * Objects that two parts of a cloud both bring. Each change of one part would overwrite or remove what the other one
 * runs on, so they are refused: only what changes is touched. The same object twice in one part is found when that
 * part is rendered.
 */
export function findClashes(parts: readonly RenderedPart[]): Clash[] {
  const owners = new Map<string, RenderedPart>();
  return parts.flatMap(part =>
    part.objects.flatMap(({ object, file }) => {
      const key = identityKey(object);
      const owner = owners.get(key) ?? part;
      owners.set(key, owner);
      if (owner === part) return [];
      const { kind, name } = identityOf(object);
      const message = `${kind} ${name} of ${nameOf(part)} is also brought by ${nameOf(owner)}`;
      const place = { file: `${part.location}/${file}` };
      return [
        {
          services: [...new Set([owner.service, part.service])],
          finding: finding('PackageInvalid', message, place, adviceFor(part, owner)),
        },
      ];
    }),
  );
}

function nameOf({ service, component, hostGroup }: RenderedPart): string {
  const whole = component === service ? service : `${service} ${component}`;
  return hostGroup === undefined ? whole : `${whole} in ${hostGroup}`;
}

function adviceFor(part: RenderedPart, owner: RenderedPart): string {
  if (part.service !== owner.service) return 'Put `${service}` into its name.';
  return part.component === owner.component
    ? 'Put `${hostGroup}` into its name.'
    : 'Put `${component}` into its name, or let one component list it.';
}
