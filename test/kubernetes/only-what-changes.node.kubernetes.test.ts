import { flowType, phaseTypes, revisionType } from '../../src/controller/our-objects.ts';
import { onlyWhatChangesStories } from '../journeys/promises/only-what-changes.stories.ts';
import { openNodeWorld } from './node-world.ts';

const types = {
  v1: ['ConfigMap', 'Secret', 'Service', 'ServiceAccount', 'Pod', 'PersistentVolumeClaim'],
  'apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
  'batch/v1': ['Job', 'CronJob'],
  'discovery.k8s.io/v1': ['EndpointSlice'],
};

onlyWhatChangesStories(openNodeWorld, {
  types: () => [
    ...Object.entries(types).flatMap(([apiVersion, kinds]) => kinds.map(kind => ({ apiVersion, kind }))),
    ...[flowType, ...phaseTypes, revisionType],
  ],
  processes: () => [], // what a kubelet restarts is in the status of its Pod
});
