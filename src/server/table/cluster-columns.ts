import { compareText, isObject, type JsonObject } from '../../base/json.ts';
import type { Cell, FilledColumn } from './column.ts';
import { age, column, count, nameColumn, none, number, text, wide } from './column-parts.ts';
import { since } from './human-duration.ts';
import { fieldAt, numberAt, objectsAt, textAt } from './read-field.ts';

function nodeStatus(object: JsonObject): Cell {
  const ready = objectsAt(object, 'status.conditions').find(one => one['type'] === 'Ready');
  const word = ready ? (ready['status'] === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return fieldAt(object, 'spec.unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

function nodeRoles(object: JsonObject): Cell {
  const labels = fieldAt(object, 'metadata.labels');
  const roles = Object.entries(isObject(labels) ? labels : {}).map(([key, value]) =>
    key === 'kubernetes.io/role' ? String(value) : (/^node-role\.kubernetes\.io\/(.+)$/.exec(key)?.[1] ?? ''),
  );
  return [...new Set(roles.filter(Boolean))].sort(compareText).join(',') || none;
}

const nodeAddress = (type: string) => (object: JsonObject) =>
  textAt(
    objectsAt(object, 'status.addresses').find(one => one['type'] === type),
    'address',
    none,
  );

function kernel(object: JsonObject): Cell {
  const architecture = textAt(object, 'status.nodeInfo.architecture');
  const version = textAt(object, 'status.nodeInfo.kernelVersion', '<unknown>');
  return architecture === '' ? version : `${version} (${architecture})`;
}

function firstSeen(object: JsonObject, now: number): string {
  return since(fieldAt(object, 'firstTimestamp') ?? fieldAt(object, 'eventTime') ?? undefined, now);
}

function lastSeen(object: JsonObject, now: number): Cell {
  const again = textAt(object, 'series.lastObservedTime');
  if (again !== '') return since(again, now);
  const last = textAt(object, 'lastTimestamp');
  return last === '' ? firstSeen(object, now) : since(last, now);
}

function eventTarget(object: JsonObject): Cell {
  const kind = textAt(object, 'involvedObject.kind').toLowerCase();
  const name = textAt(object, 'involvedObject.name');
  return name === '' ? kind : `${kind}/${name}`;
}

function eventSource(object: JsonObject): Cell {
  const component = textAt(object, 'source.component', textAt(object, 'reportingComponent'));
  const instance = textAt(object, 'source.host', textAt(object, 'reportingInstance'));
  return instance === '' ? component : `${component}, ${instance}`;
}

const subjects = (kind: string) => (object: JsonObject) =>
  objectsAt(object, 'subjects')
    .filter(one => one['kind'] === kind)
    .map(one => (kind === 'ServiceAccount' ? `${textAt(one, 'namespace')}/` : '') + textAt(one, 'name'))
    .join(', ');

const binding: readonly FilledColumn[] = [
  nameColumn,
  column('Role', object => `${textAt(object, 'roleRef.kind')}/${textAt(object, 'roleRef.name')}`),
  age,
  wide('Users', subjects('User')),
  wide('Groups', subjects('Group')),
  wide('ServiceAccounts', subjects('ServiceAccount')),
];

/** The columns of the cluster itself: nodes, events, rights. */
export const clusterColumns: Readonly<Record<string, readonly FilledColumn[]>> = {
  '/namespaces': [nameColumn, column('Status', text('status.phase')), age],
  '/nodes': [
    nameColumn,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    age,
    column('Version', text('status.nodeInfo.kubeletVersion')),
    wide('Internal-IP', nodeAddress('InternalIP')),
    wide('External-IP', nodeAddress('ExternalIP')),
    wide('OS-Image', text('status.nodeInfo.osImage', '<unknown>')),
    wide('Kernel-Version', kernel),
    wide('Container-Runtime', text('status.nodeInfo.containerRuntimeVersion', '<unknown>')),
  ],
  '/serviceaccounts': [nameColumn, age],
  '/events': [
    column('Last Seen', lastSeen),
    column('Type', text('type')),
    column('Reason', text('reason')),
    column('Object', eventTarget),
    wide('Subobject', text('involvedObject.fieldPath')),
    wide('Source', eventSource),
    column('Message', object => textAt(object, 'message').trim()),
    wide('First Seen', firstSeen),
    wide('Count', object => numberAt(object, 'series.count') || numberAt(object, 'count') || 1),
    wide('Name', text('metadata.name')),
  ],
  'coordination.k8s.io/leases': [nameColumn, column('Holder', text('spec.holderIdentity')), age],
  'rbac.authorization.k8s.io/rolebindings': binding,
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
  'scheduling.k8s.io/priorityclasses': [
    nameColumn,
    count('Value', number('value')),
    column('Global-Default', object => fieldAt(object, 'globalDefault') === true, { type: 'boolean' }),
    age,
    column('PreemptionPolicy', text('preemptionPolicy')),
  ],
};
