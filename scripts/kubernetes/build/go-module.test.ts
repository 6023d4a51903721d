import { describe, expect, test } from 'vitest';
import { buildArguments, builtName, goModule, packagesOf } from './go-module.ts';
import { parts } from './parts.ts';

const published = `module k8s.io/kubernetes

go 1.26.0

require (
	github.com/some/thing v0.0.0-20161109143554-76bb4ee9f0ab
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.130.1
	k8s.io/apimachinery v0.0.0 // indirect
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
)
`;

describe('the go.mod of a part', () => {
  test('asks for the part and replaces just the modules that have no version', () => {
    expect(goModule(parts.kubernetes, published).split('\n\n')).toEqual([
      'module afloat.test/kubernetes',
      'go 1.26.0',
      'require k8s.io/kubernetes v1.36.3',
      'replace k8s.io/api => k8s.io/api v0.36.3',
      'replace k8s.io/apimachinery => k8s.io/apimachinery v0.36.3\n',
    ]);
  });

  test('replaces nothing in a part without staging modules', () => {
    expect(goModule(parts.etcd, published)).not.toContain('replace');
  });
});

describe('the build of a part', () => {
  test.each([
    ['k8s.io/kubernetes/cmd/kubectl', 'kubectl'],
    ['go.etcd.io/etcd/server/v3', 'server'],
    ['example.test/tool', 'tool'],
  ])('of %s gives %s', (path, name) => {
    expect(builtName(path)).toBe(name);
  });

  test('names the module itself by the empty path', () => {
    expect(packagesOf(parts.etcd)).toEqual(['go.etcd.io/etcd/server/v3']);
    expect(packagesOf(parts.kubernetes)).toContain('k8s.io/kubernetes/cmd/kube-apiserver');
  });

  test('sets the version that the server will say', () => {
    const flags = buildArguments(parts.kubernetes, '/out').join(' ');
    expect(flags).toContain('-X k8s.io/component-base/version.gitVersion=v1.36.3');
    expect(flags).toContain('-o /out/ ');
  });
});
