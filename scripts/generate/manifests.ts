import manifest from '../../package.json' with { type: 'json' };
import { operatorNamespace } from '../../src/app/deploy/deploy-names.ts';
import { operatorObjects } from '../../src/app/deploy/install-objects.ts';
import { cloudAccess } from '../../src/app/deploy/role-objects.ts';
import type { GeneratedFile } from './generated-file.ts';
import { yamlDocuments, yamlHeader } from './yaml-text.ts';

const header = yamlHeader('src/app/deploy');

/** The operator as plain manifests: what `afloat install` applies beside the definitions. */
export function manifestFiles(): GeneratedFile[] {
  const operator = operatorObjects({ image: `afloat:${manifest.version}` });
  const cloud = cloudAccess('openstack', { namespace: operatorNamespace });
  return [
    { path: 'deploy/manifests/operator.yaml', content: `${header}${yamlDocuments(operator)}` },
    {
      path: 'deploy/manifests/cloud.yaml',
      content: `${header}# For every namespace with a cloud: change \`openstack\` to its name.\n${yamlDocuments(cloud)}`,
    },
  ];
}
