import { compareText, isObject, type JsonObject } from '../../base/json.ts';
import type { Cell, FilledColumn } from './column.ts';
import { humanDuration, since } from './human-duration.ts';
import { labelsText, selectorText } from './label-text.ts';
import { podCells } from './pod-cells.ts';
import { countAt, fieldAt, hasCondition, numberAt, objectsAt, textAt, textsAt } from './read-field.ts';

type Fill = FilledColumn['cell'];

const none = '<none>';

function column(name: string, cell: Fill, more: Partial<FilledColumn> = {}): FilledColumn {
  return { name, type: 'string', format: '', description: '', priority: 0, cell, ...more };
}

function count(name: string, cell: Fill): FilledColumn {
  return column(name, cell, { type: 'integer' });
}

/** Only in a wide table. */
function wide(name: string, cell: Fill): FilledColumn {
  return column(name, cell, { priority: 1 });
}

const text =
  (path: string, otherwise = '') =>
  (object: JsonObject) =>
    textAt(object, path, otherwise);
const number = (path: string) => (object: JsonObject) => numberAt(object, path);

/** The first column of every table. */
export const nameColumn = column('Name', text('metadata.name'), { format: 'name' });
const age = column('Age', (object, now) => since(fieldAt(object, 'metadata.creationTimestamp'), now));

/** What is shown of a kind that nobody wrote columns for. */
export const usualColumns: readonly FilledColumn[] = [
  nameColumn,
  column('Created At', text('metadata.creationTimestamp'), { type: 'date' }),
];

const joined = (list: string, field: string) => (object: JsonObject) =>
  objectsAt(object, list)
    .map(one => textAt(one, field))
    .join(',');

function containersIn(template: string): readonly FilledColumn[] {
  const list = `${template}.spec.containers`;
  return [wide('Containers', joined(list, 'name')), wide('Images', joined(list, 'image'))];
}

const selectorOf = (path: string) => wide('Selector', object => selectorText(fieldAt(object, path)));
const ofTemplate = [...containersIn('spec.template'), selectorOf('spec.selector')];

const pod: readonly FilledColumn[] = [
  nameColumn,
  column('Ready', (object, now) => podCells(object, now).ready),
  column('Status', (object, now) => podCells(object, now).status),
  column('Restarts', (object, now) => podCells(object, now).restarts),
  age,
  wide('IP', object => textAt(objectsAt(object, 'status.podIPs')[0], 'ip', none)),
  wide('Node', text('spec.nodeName', none)),
  wide('Nominated Node', text('status.nominatedNodeName', none)),
  wide('Readiness Gates', readinessGates),
];

function readinessGates(object: JsonObject): Cell {
  const gates = objectsAt(object, 'spec.readinessGates');
  if (gates.length === 0) return none;
  const open = gates.filter(gate => hasCondition(object, textAt(gate, 'conditionType')));
  return `${open.length}/${gates.length}`;
}

/** By order of what matters: the first condition that is true has the word. */
const jobStates = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
] as const;
const laterJobStates = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'] as const;

function jobStatus(object: JsonObject): Cell {
  const [, ended] = jobStates.find(([condition]) => hasCondition(object, condition)) ?? [];
  if (ended !== undefined) return ended;
  if (fieldAt(object, 'metadata.deletionTimestamp') !== undefined) return 'Terminating';
  return laterJobStates.find(condition => hasCondition(object, condition)) ?? 'Running';
}

function completions(object: JsonObject): Cell {
  const done = numberAt(object, 'status.succeeded');
  const wanted = fieldAt(object, 'spec.completions');
  if (typeof wanted === 'number') return `${done}/${wanted}`;
  const parallelism = numberAt(object, 'spec.parallelism');
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function jobDuration(object: JsonObject, now: number): Cell {
  const start = textAt(object, 'status.startTime');
  if (start === '') return '';
  const end = textAt(object, 'status.completionTime');
  return humanDuration((end === '' ? now : Date.parse(end)) - Date.parse(start));
}

function externalAddress(object: JsonObject): Cell {
  const own = textsAt(object, 'spec.externalIPs');
  const type = textAt(object, 'spec.type');
  if (type === 'ExternalName') return textAt(object, 'spec.externalName');
  if (type !== 'LoadBalancer') return own.join(',') || none;
  return [...balancers(object), ...own].join(',') || '<pending>';
}

function balancers(object: JsonObject): string[] {
  const found = objectsAt(object, 'status.loadBalancer.ingress').map(one =>
    textAt(one, 'ip', textAt(one, 'hostname')),
  );
  return [...new Set(found.filter(Boolean))].sort(compareText);
}

function servicePorts(object: JsonObject): Cell {
  const ports = objectsAt(object, 'spec.ports').map(one => {
    const node = numberAt(one, 'nodePort');
    return `${textAt(one, 'port')}${node > 0 ? `:${node}` : ''}/${textAt(one, 'protocol')}`;
  });
  return ports.join(',') || none;
}

/** The first three, and how many more there are. */
function firstThree(all: readonly string[], nothing: string): string {
  if (all.length === 0) return nothing;
  const shown = all.slice(0, 3).join(',');
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown;
}

function endpoints(object: JsonObject): Cell {
  const all = objectsAt(object, 'subsets').flatMap(subset => {
    const addresses = objectsAt(subset, 'addresses').map(one => textAt(one, 'ip'));
    const ports = objectsAt(subset, 'ports').map(one => textAt(one, 'port'));
    return ports.length === 0
      ? addresses
      : ports.flatMap(port => addresses.map(ip => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
  });
  return firstThree(all, none);
}

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

const modeLetters: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const accessModes = (path: string) => (object: JsonObject) =>
  Object.keys(modeLetters)
    .filter(mode => textsAt(object, path).includes(mode))
    .map(mode => modeLetters[mode])
    .join(',');

const phase = (object: JsonObject) =>
  fieldAt(object, 'metadata.deletionTimestamp') === undefined
    ? textAt(object, 'status.phase')
    : 'Terminating';

const ifBound =
  (cell: Fill): Fill =>
  (object, now) =>
    textAt(object, 'spec.volumeName') === '' ? '' : cell(object, now);

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

const isDefaultClass = (object: JsonObject) => {
  const annotations = fieldAt(object, 'metadata.annotations');
  return isObject(annotations) && annotations['storageclass.kubernetes.io/is-default-class'] === 'true';
};

function controllerOf(object: JsonObject): Cell {
  const owner = objectsAt(object, 'metadata.ownerReferences').find(one => one['controller'] === true);
  if (!owner) return none;
  const [group = ''] = textAt(owner, 'apiVersion').split('/').slice(0, -1);
  const kind = textAt(owner, 'kind').toLowerCase();
  return `${kind}${group === '' ? '' : `.${group}`}/${textAt(owner, 'name')}`;
}

/** The columns of built-in kinds by group and plural, as an API server prints them; kinds that are not here have the usual ones. */
export const builtinColumns: Readonly<Record<string, readonly FilledColumn[]>> = {
  '/pods': pod,
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
  '/services': [
    nameColumn,
    column('Type', text('spec.type')),
    column(
      'Cluster-IP',
      object => textsAt(object, 'spec.clusterIPs')[0] ?? textAt(object, 'spec.clusterIP', none),
    ),
    column('External-IP', externalAddress),
    column('Port(s)', servicePorts),
    age,
    wide('Selector', object => labelsText(fieldAt(object, 'spec.selector'))),
  ],
  '/endpoints': [nameColumn, column('Endpoints', endpoints), age],
  '/configmaps': [
    nameColumn,
    column('Data', object => countAt(object, 'data') + countAt(object, 'binaryData')),
    age,
  ],
  '/secrets': [
    nameColumn,
    column('Type', text('type')),
    column('Data', object => countAt(object, 'data')),
    age,
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
  '/persistentvolumes': [
    nameColumn,
    column('Capacity', text('spec.capacity.storage', '0')),
    column('Access Modes', accessModes('spec.accessModes')),
    column('Reclaim Policy', text('spec.persistentVolumeReclaimPolicy')),
    column('Status', phase),
    column('Claim', object =>
      fieldAt(object, 'spec.claimRef')
        ? `${textAt(object, 'spec.claimRef.namespace')}/${textAt(object, 'spec.claimRef.name')}`
        : '',
    ),
    column('StorageClass', text('spec.storageClassName')),
    column('VolumeAttributesClass', text('spec.volumeAttributesClassName', '<unset>')),
    column('Reason', text('status.reason')),
    age,
    wide('VolumeMode', text('spec.volumeMode', '<unset>')),
  ],
  '/persistentvolumeclaims': [
    nameColumn,
    column('Status', phase),
    column('Volume', text('spec.volumeName')),
    column('Capacity', ifBound(text('status.capacity.storage', '0'))),
    column('Access Modes', ifBound(accessModes('status.accessModes'))),
    column('StorageClass', text('spec.storageClassName')),
    column('VolumeAttributesClass', text('spec.volumeAttributesClassName', '<unset>')),
    age,
    wide('VolumeMode', text('spec.volumeMode', '<unset>')),
  ],
  'apps/deployments': [
    nameColumn,
    column(
      'Ready',
      object => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`,
    ),
    column('Up-to-date', number('status.updatedReplicas')),
    column('Available', number('status.availableReplicas')),
    age,
    ...ofTemplate,
  ],
  'apps/replicasets': [
    nameColumn,
    count('Desired', number('spec.replicas')),
    count('Current', number('status.replicas')),
    count('Ready', number('status.readyReplicas')),
    age,
    ...ofTemplate,
  ],
  'apps/statefulsets': [
    nameColumn,
    column(
      'Ready',
      object => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`,
    ),
    age,
    ...containersIn('spec.template'),
  ],
  'apps/daemonsets': [
    nameColumn,
    count('Desired', number('status.desiredNumberScheduled')),
    count('Current', number('status.currentNumberScheduled')),
    count('Ready', number('status.numberReady')),
    count('Up-to-date', number('status.updatedNumberScheduled')),
    count('Available', number('status.numberAvailable')),
    column('Node Selector', object => labelsText(fieldAt(object, 'spec.template.spec.nodeSelector'))),
    age,
    ...ofTemplate,
  ],
  'apps/controllerrevisions': [
    nameColumn,
    column('Controller', controllerOf),
    column('Revision', number('revision')),
    age,
  ],
  'batch/jobs': [
    nameColumn,
    column('Status', jobStatus),
    column('Completions', completions),
    column('Duration', jobDuration),
    age,
    ...ofTemplate,
  ],
  'batch/cronjobs': [
    nameColumn,
    column('Schedule', text('spec.schedule')),
    column('Timezone', text('spec.timeZone', none)),
    column('Suspend', object => (fieldAt(object, 'spec.suspend') === true ? 'True' : 'False'), {
      type: 'boolean',
    }),
    count('Active', object => objectsAt(object, 'status.active').length),
    column('Last Schedule', (object, now) => {
      const last = fieldAt(object, 'status.lastScheduleTime');
      return last === undefined ? none : since(last, now);
    }),
    age,
    ...containersIn('spec.jobTemplate.spec.template'),
    selectorOf('spec.jobTemplate.spec.selector'),
  ],
  'coordination.k8s.io/leases': [nameColumn, column('Holder', text('spec.holderIdentity')), age],
  'discovery.k8s.io/endpointslices': [
    nameColumn,
    column('AddressType', text('addressType')),
    column('Ports', object =>
      firstThree(
        objectsAt(object, 'ports').map(one => textAt(one, 'port', textAt(one, 'name', '*'))),
        '<unset>',
      ),
    ),
    column('Endpoints', object =>
      firstThree(
        objectsAt(object, 'endpoints').flatMap(one => textsAt(one, 'addresses')),
        '<unset>',
      ),
    ),
    age,
  ],
  'rbac.authorization.k8s.io/rolebindings': binding,
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
  'networking.k8s.io/networkpolicies': [
    nameColumn,
    column('Pod-Selector', object => selectorText(fieldAt(object, 'spec.podSelector'))),
    age,
  ],
  'networking.k8s.io/ingresses': [
    nameColumn,
    column('Class', text('spec.ingressClassName', none)),
    column('Hosts', object =>
      firstThree(
        objectsAt(object, 'spec.rules')
          .map(one => textAt(one, 'host'))
          .filter(Boolean),
        '*',
      ),
    ),
    column('Address', object => balancers(object).join(',')),
    column('Ports', object => (objectsAt(object, 'spec.tls').length > 0 ? '80, 443' : '80')),
    age,
  ],
  'policy/poddisruptionbudgets': [
    nameColumn,
    column('Min Available', text('spec.minAvailable', 'N/A')),
    column('Max Unavailable', text('spec.maxUnavailable', 'N/A')),
    count('Allowed Disruptions', number('status.disruptionsAllowed')),
    age,
  ],
  'scheduling.k8s.io/priorityclasses': [
    nameColumn,
    count('Value', number('value')),
    column('Global-Default', object => fieldAt(object, 'globalDefault') === true, { type: 'boolean' }),
    age,
    column('PreemptionPolicy', text('preemptionPolicy')),
  ],
  'storage.k8s.io/storageclasses': [
    column(
      'Name',
      object => `${textAt(object, 'metadata.name')}${isDefaultClass(object) ? ' (default)' : ''}`,
      {
        format: 'name',
      },
    ),
    column('Provisioner', text('provisioner')),
    column('ReclaimPolicy', text('reclaimPolicy', 'Delete')),
    column('VolumeBindingMode', text('volumeBindingMode', 'Immediate')),
    column('AllowVolumeExpansion', object => fieldAt(object, 'allowVolumeExpansion') === true),
    age,
  ],
};
