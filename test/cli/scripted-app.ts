import type {
  ApplyRequest,
  ApproveRequest,
  Intent,
  LogRequest,
  OperatorApp,
  RecordRequest,
  Snapshot,
  Verbs,
} from '../../src/app/operator-verbs.ts';
import { CodedError } from '../../src/base/coded-error.ts';
import type { CloudObjects } from '../../src/status/cloud-objects.ts';
import { viewOf } from '../../src/status/status.ts';
import { cloudStories } from '../../src/testing/cloud-stories.ts';

/** What the commands asked for, in order: `approve {"plan":"north-2",...}`. */
export interface ScriptedApp extends OperatorApp {
  readonly calls: string[];
  /** What was carried out. */
  readonly done: string[];
}

/** A story as a snapshot. */
export function snapshotOf(name: string): Snapshot {
  const objects = cloudStories[name] as CloudObjects;
  return { objects, view: viewOf(objects) };
}

/** An app in which these stories follow each other: `look` sees the first, `follow` all of them. */
export function scriptedApp(stories: readonly string[], more: Partial<Verbs> = {}): ScriptedApp {
  const calls: string[] = [];
  const done: string[] = [];
  const note = (verb: string, ...words: readonly unknown[]) => {
    calls.push([verb, ...words.map(word => JSON.stringify(word) ?? '')].join(' ').trimEnd());
  };
  const intend = (verb: string, asks: boolean, ...words: readonly unknown[]): Intent => {
    note(verb, ...words);
    return {
      says: [`This is what ${verb} leads to.`],
      asks,
      carryOut: async () => {
        done.push(verb);
        return [`${verb} is done`];
      },
    };
  };
  const verbs: Verbs = {
    look: async () => snapshotOf(stories[0] ?? 'nothing there'),
    follow: async function* () {
      for (const story of stories) yield snapshotOf(story);
    },
    apply: async (request: ApplyRequest) => {
      note('apply', request.paths, request.message);
      return {
        cloud: 'north',
        namespace: 'openstack',
        generation: 2,
        changed: true,
        packages: 2,
        waiting: [],
        formerPlans: [],
      };
    },
    push: async (request: RecordRequest) => {
      note('push', request.paths);
      return { namespace: 'openstack', packages: [{ location: 'a/1', digest: `sha256:${'a'.repeat(64)}` }] };
    },
    adopt: async request => ({
      ...intend('adopt', true, request),
      record: { apiVersion: 'example/v1', kind: 'OpenstackDeployment', metadata: { name: 'north' } },
    }),
    approve: async (request: ApproveRequest) =>
      intend('approve', request.digest === undefined && request.answers.length === 0, request),
    pause: async plan => intend('pause', true, plan),
    resume: async plan => intend('resume', true, plan),
    abort: async service => intend('abort', true, service),
    retry: async service => intend('retry', true, service),
    contract: async service => intend('contract', true, service),
    rollback: async (service, to) => intend('rollback', true, service, to),
    logs: async function* (request: LogRequest) {
      note('logs', request);
      yield { from: 'keystone-1/api', text: 'ready\u001b[31m' };
    },
    diff: async () => ({
      services: [
        { service: 'mariadb', wanted: '10.11.6', serves: '10.11.6', objects: [] },
        {
          service: 'keystone',
          wanted: '22.0.1',
          serves: '22.0.0',
          objects: [{ object: 'Deployment/keystone-${slice}', change: 'change', detail: 'its image' }],
        },
      ],
    }),
    ...more,
  };
  return {
    calls,
    done,
    connect: async options => {
      note('connect', options);
      return { verbs, close: async () => note('close') };
    },
    up: async (request, tell) => {
      note('up', request);
      tell('up');
    },
    down: async request => intend('down', request.all, request),
    checkMachine: async () => [{ name: 'node', state: 'ok', says: 'version 20' }],
  };
}

/** An app that reaches nothing. */
export function unreachableApp(): OperatorApp {
  return {
    ...scriptedApp([]),
    connect: async () => {
      throw new CodedError('NotUp', 'nothing runs in /somewhere');
    },
  };
}
