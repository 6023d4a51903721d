import { isObject, type JsonObject } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { explainPods } from './explain-failure.ts';
import { type Judgement, judged, terminating } from './judgement.ts';
import type { Pod } from './pod.ts';
import { partOf, specOf, statusOf } from './rollout.ts';
import { imageReasons, makeReasons, stuckPod } from './stuck-pod.ts';

/** One step of a Workflow, as its controller tells of it. */
interface Node {
  readonly name: string;
  readonly type: string;
  readonly phase: string;
  readonly message: string;
  readonly template: string;
}

/**
 * What became of an Argo Workflow, from its status and its Pods. It has ended when its phase says so; what one of its Pods can never get
 * (an image, a node) is told before. A step that waits for a person to resume it goes on as soon as somebody does, and says so.
 */
export function observeWorkflow(workflow: StoredObject, pods: readonly Pod[]): Judgement {
  return (
    terminating(workflow) ??
    ended(workflow, pods) ??
    stuckPod(pods, { countsFailures: true }) ??
    stuckNode(workflow) ??
    goingOn(workflow)
  );
}

function ended(workflow: StoredObject, pods: readonly Pod[]): Judgement | undefined {
  const { phase, message } = statusOf(workflow);
  const name = nameOf(workflow);
  if (phase === 'Succeeded') return judged('done', 'Succeeded', `${name} has succeeded`);
  if (phase !== 'Failed' && phase !== 'Error') return undefined;
  const culprit = failedNode(workflow);
  const said = [
    `${name} ${phase === 'Failed' ? 'failed' : 'could not be run'}`,
    ...(typeof message === 'string' && message !== '' ? [message] : []),
    ...(culprit && culprit.message !== message ? [`step ${culprit.name}: ${culprit.message}`] : []),
  ].join(': ');
  const why = explainPods(pods);
  return {
    ...judged('failed', phase, why ? `${said}; ${why.message}` : said),
    ...(why?.culprit ? { culprit: why.culprit } : {}),
  };
}

/** The step that brought it down: one that runs something, before those that only hold others. */
function failedNode(workflow: StoredObject): Node | undefined {
  const failed = nodesOf(workflow).filter(
    ({ phase, message }) => (phase === 'Failed' || phase === 'Error') && message !== '',
  );
  return failed.find(({ type }) => type === 'Pod') ?? failed.find(({ type }) => !isHolder(type)) ?? failed[0];
}

/** Its controller writes the reason of the Pod before the rest: `ImagePullBackOff: Back-off pulling image ...`. */
function stuckNode(workflow: StoredObject): Judgement | undefined {
  for (const { name, phase, message } of nodesOf(workflow)) {
    const [, reason = ''] = /^(\w+)(?::|$)/.exec(message) ?? [];
    const word =
      imageReasons[reason] ?? (makeReasons.has(reason) || reason === 'Unschedulable' ? reason : '');
    if (phase === 'Pending' && word !== '')
      return judged('stuck', word, `${nameOf(workflow)}: step ${name} can never run: ${message}`);
  }
  return undefined;
}

function goingOn(workflow: StoredObject): Judgement {
  const name = nameOf(workflow);
  const { phase = '' } = statusOf(workflow);
  if (specOf(workflow)['suspend'] === true)
    return judged('progressing', 'Suspended', `${name} is suspended until a person resumes it`);
  const waits = nodesOf(workflow).find(
    node => node.type === 'Suspend' && node.phase === 'Running' && !endsByItself(workflow, node),
  );
  if (waits)
    return judged('progressing', 'Suspended', `${name} waits at ${waits.name} until a person resumes it`);
  if (phase === '')
    return judged('progressing', 'NotObserved', `${name}: its controller has not seen it yet`);
  const done = nodesOf(workflow)
    .filter(node => node.phase === 'Running')
    .map(node => node.name);
  const at = done.at(-1);
  const where = at === undefined || at === workflow.metadata.name ? '' : `, at ${at}`;
  return judged('progressing', phase === 'Pending' ? 'Pending' : 'Running', `${name} runs${where}`);
}

/** A step that only waits so long. */
function endsByItself(workflow: StoredObject, { template }: Node): boolean {
  const stored = partOf(statusOf(workflow), 'storedWorkflowTemplateSpec');
  const all = [specOf(workflow)['templates'], stored['templates']].flatMap(list =>
    Array.isArray(list) ? list.filter(isObject) : [],
  );
  const own = all.find(one => one['name'] === template);
  return own !== undefined && partOf(own, 'suspend')['duration'] !== undefined;
}

function isHolder(type: string): boolean {
  return (
    type === 'Steps' || type === 'StepGroup' || type === 'DAG' || type === 'Retry' || type === 'TaskGroup'
  );
}

/** By name, so that the answer stays the same. */
function nodesOf(workflow: StoredObject): readonly Node[] {
  const nodes = Object.values(partOf(statusOf(workflow), 'nodes')).filter(isObject);
  return nodes.map(nodeOf).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function nodeOf(node: JsonObject): Node {
  const text = (field: string) => (typeof node[field] === 'string' ? node[field] : '');
  return {
    name: text('displayName') || text('name'),
    ...{ type: text('type'), phase: text('phase'), message: text('message'), template: text('templateName') },
  };
}

function nameOf({ kind, metadata }: StoredObject): string {
  return `${kind} ${metadata.name}`;
}
