import { compareText } from '../../base/json.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';
import { scaleOf } from './answer-scale.ts';
import { apiVersionOf } from './kind-index.ts';
import { type ReviewKind, reviewKinds } from './review-kinds.ts';

/** In the order in which a server names them, which is another one for kinds that came with a definition. */
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
const definedVerbs = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
] as const;

/** `/api`: the versions of the kinds without a group. */
export function describeCore(): object {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

/** `/apis`: every group with its versions. */
export function describeGroups(kinds: readonly ServedKind[]): object {
  const names = [...new Set([...kinds, ...reviewKinds].map(({ group }) => group))].filter(Boolean);
  const groups = names.map(name => describeGroup(kinds, name));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** `/apis/<group>`; undefined where there is no such group. */
export function describeGroup(kinds: readonly ServedKind[], name: string): object | undefined {
  const here = [...kinds, ...reviewKinds].filter(({ group }) => group === name);
  const versions = [...new Set(here.map(({ version }) => version))]
    .sort(byPriority)
    .map(version => ({ groupVersion: `${name}/${version}`, version }));
  if (versions.length === 0) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', name, versions, preferredVersion: versions[0] };
}

/** `/api/v1` and `/apis/<group>/<version>`; undefined where nothing is served there. */
export function describeResources(
  kinds: readonly ServedKind[],
  place: Pick<ServedKind, 'group' | 'version'>,
  hasLogs: boolean,
): object | undefined {
  const here = kinds.filter(({ group, version }) => group === place.group && version === place.version);
  const reviews = reviewKinds.filter(one => one.group === place.group && one.version === place.version);
  if (here.length + reviews.length === 0) return undefined;
  const resources = [...here.flatMap(kind => resourcesOf(kind, hasLogs)), ...reviews.map(reviewResource)];
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf(place), resources };
}

function resourcesOf(served: ServedKind, hasLogs: boolean): object[] {
  const { plural: name, singular, shortNames, categories, kind, isNamespaced: namespaced } = served;
  const main = {
    name,
    singularName: singular,
    namespaced,
    kind,
    verbs: served.definedBy ? definedVerbs : verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
  const part = (suffix: string, offers: readonly string[]) => ({
    name: `${name}/${suffix}`,
    singularName: '',
    namespaced,
    kind,
    verbs: offers,
  });
  const isPods = served.group === '' && name === 'pods';
  return [
    main,
    ...(served.hasStatus ? [part('status', ['get', 'patch', 'update'])] : []),
    ...(isPods && hasLogs ? [part('log', ['get'])] : []),
    ...(scaleOf(served)
      ? [{ ...part('scale', ['get', 'patch', 'update']), group: 'autoscaling', version: 'v1', kind: 'Scale' }]
      : []),
  ];
}

function reviewResource({ plural: name, kind, isNamespaced: namespaced }: ReviewKind): object {
  return { name, singularName: kind.toLowerCase(), namespaced, kind, verbs: ['create'] };
}

/** As Kubernetes prefers versions: stable ones before betas before alphas, higher numbers first, all others by name at the end. */
function byPriority(a: string, b: string): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  for (let index = 0; index < left.length; index++) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return compareText(a, b);
}

function rankOf(version: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return [0, 0, 0];
  const [, major, stage, minor] = match;
  return [stage === undefined ? 3 : stage === 'beta' ? 2 : 1, Number(major), Number(minor ?? 0)];
}
