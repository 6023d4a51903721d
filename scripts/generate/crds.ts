import { crdOf } from '../../src/api/crd.ts';
import { kinds } from '../../src/api/kinds.ts';
import type { GeneratedFile } from './generated-file.ts';
import { yamlHeader, yamlText } from './yaml-text.ts';

/** The CustomResourceDefinitions, one file a kind: for `kubectl`, and where Helm looks for them, which never removes them. */
export function crdFiles(): GeneratedFile[] {
  return kinds.flatMap(kind => {
    const content = `${yamlHeader('src/api')}${yamlText(crdOf(kind))}`;
    return ['deploy/crds', 'deploy/chart/crds'].map(folder => ({
      path: `${folder}/${kind.plural}.yaml`,
      content,
    }));
  });
}
