import { isObject, type JsonObject } from '../../base/json.ts';
import type { FilledColumn } from './column.ts';
import { age, column, type Fill, nameColumn, text, wide } from './column-parts.ts';
import { countAt, fieldAt, textAt, textsAt } from './read-field.ts';

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

const isDefaultClass = (object: JsonObject) => {
  const annotations = fieldAt(object, 'metadata.annotations');
  return isObject(annotations) && annotations['storageclass.kubernetes.io/is-default-class'] === 'true';
};

/** The columns of what keeps data. */
export const storageColumns: Readonly<Record<string, readonly FilledColumn[]>> = {
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
