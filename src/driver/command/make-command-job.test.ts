import { expect, test } from 'vitest';
import { apiVersion } from '../../api/group.ts';
import { managedBy, managedByLabel, phaseLabel, serviceLabel, sliceLabel } from '../../api/labels.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { makeCommandJob } from './make-command-job.ts';

const labels = {
  [managedByLabel]: managedBy,
  [phaseLabel]: 'test-1',
  [serviceLabel]: 'keystone',
  [sliceLabel]: 'blue',
};
const owner = { apiVersion, kind: 'TestPhase', name: 'keystone', uid: '1', controller: true };

function aCommand(spec: JsonObject): ClusterObject {
  const metadata = { name: 'check', namespace: 'openstack', labels, ownerReferences: [owner] };
  return { apiVersion, kind: 'Command', metadata, spec };
}

test('a Command becomes a Job with the same name, labels and owners; a Service never selects its Pod', () => {
  const command = aCommand({
    image: 'tools',
    command: ['check'],
    args: ['--all'],
    env: [{ name: 'A', value: 'b' }],
    volumes: [{ name: 'v', emptyDir: {} }],
    volumeMounts: [{ name: 'v', mountPath: '/v' }],
    serviceAccountName: 'checker',
    retries: 2,
    deadlineSeconds: 60,
  });
  expect(makeCommandJob(command)).toEqual({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: command.metadata,
    spec: {
      backoffLimit: 2,
      activeDeadlineSeconds: 60,
      template: {
        metadata: { labels: { [managedByLabel]: managedBy, [phaseLabel]: 'test-1' } },
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: 'checker',
          volumes: [{ name: 'v', emptyDir: {} }],
          containers: [
            {
              name: 'command',
              image: 'tools',
              command: ['check'],
              args: ['--all'],
              env: [{ name: 'A', value: 'b' }],
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            },
          ],
        },
      },
    },
  });
});

test('a Command is tried once unless it says otherwise', () => {
  expect(makeCommandJob(aCommand({ image: 'tools' }))).toMatchObject({ spec: { backoffLimit: 0 } });
});

test.each<[JsonObject, string, string]>([
  [{}, 'FieldMissing', 'spec.image'],
  [{ image: 'x', comand: ['y'] }, 'FieldUnknown', 'spec.comand'],
  [{ image: 7 }, 'FieldType', 'spec.image'],
  [{ image: 'x', command: 'ls' }, 'FieldType', 'spec.command'],
  [{ image: 'x', retries: -1 }, 'FieldType', 'spec.retries'],
  [{ image: 'x', deadlineSeconds: 0 }, 'FieldType', 'spec.deadlineSeconds'],
])('a Command with spec %j is refused with %s, naming %s', (spec, code, field) => {
  let thrown: unknown;
  try {
    makeCommandJob(aCommand(spec));
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toEqual(expect.objectContaining({ code, details: { field } }));
});
