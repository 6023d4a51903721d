import type { JsonObject } from '../../base/json.ts';
import type { Cell, FilledColumn } from './column.ts';
import { age, column, count, nameColumn, none, number, text, wide } from './column-parts.ts';
import { humanDuration, since } from './human-duration.ts';
import { labelsText, selectorText } from './label-text.ts';
import { podCells } from './pod-cells.ts';
import { fieldAt, hasCondition, numberAt, objectsAt, textAt } from './read-field.ts';

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

function controllerOf(object: JsonObject): Cell {
  const owner = objectsAt(object, 'metadata.ownerReferences').find(one => one['controller'] === true);
  if (!owner) return none;
  const [group = ''] = textAt(owner, 'apiVersion').split('/').slice(0, -1);
  const kind = textAt(owner, 'kind').toLowerCase();
  return `${kind}${group === '' ? '' : `.${group}`}/${textAt(owner, 'name')}`;
}

/** The columns of what runs, and of what keeps it running. */
export const workloadColumns: Readonly<Record<string, readonly FilledColumn[]>> = {
  '/pods': pod,
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
  'policy/poddisruptionbudgets': [
    nameColumn,
    column('Min Available', text('spec.minAvailable', 'N/A')),
    column('Max Unavailable', text('spec.maxUnavailable', 'N/A')),
    count('Allowed Disruptions', number('status.disruptionsAllowed')),
    age,
  ],
};
