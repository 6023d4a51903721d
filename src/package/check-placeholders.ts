import type { Finding } from '../api/finding.ts';
import type { ServicePackage } from './package.ts';
import { componentNames } from './part-contexts.ts';
import { type RenderContext, renderPart } from './render.ts';

/** What is wrong with the placeholders of a package by itself, and which values only a record can give it. */
export interface PlaceholderCheck {
  readonly findings: readonly Finding[];
  /** Accepted: a record may say what `values.yaml` does not. */
  readonly warnings: readonly Finding[];
}

/** Looks at every placeholder of a package without a record: what stands for nothing, whatever a record says, is wrong. */
export function checkPlaceholders(pkg: ServicePackage): PlaceholderCheck {
  const findings = renderAlone(pkg, true);
  const known = new Set(findings.map(keyOf));
  return { findings, warnings: renderAlone(pkg, false).filter(found => !known.has(keyOf(found))) };
}

function renderAlone(pkg: ServicePackage, moreValuesLater: boolean): readonly Finding[] {
  const context: Omit<RenderContext, 'component' | 'first'> = {
    ...{ cloud: 'cloud', namespace: 'default', values: pkg.values, shared: {}, moreValuesLater },
    later: ['shared', ...pkg.lifecycle.generated.map(path => `values.${path}`)],
  };
  const all = componentNames(pkg.lifecycle).flatMap(
    (component, index) => renderPart(pkg, { ...context, component, first: index === 0 }).findings,
  );
  // What belongs to the package as a whole is met with every component.
  return [...new Map(all.map(found => [keyOf(found), found])).values()];
}

function keyOf({ code, file, line, field, message }: Finding): string {
  return JSON.stringify([code, file, line, field, message]);
}
