import { expect, it } from 'vitest';
import { kinds } from '../../api/kinds.ts';
import { installedObjects } from './install.ts';
import { cloudAccess, clusterRoles, operatorAccess } from './role-objects.ts';
import { cloudRules, definitionRules, operatorRules, personRules, type Rule } from './rules.ts';

const allows = (rules: readonly Rule[], verb: string, resource: string) =>
  rules.some(({ resources, verbs }) => resources.includes(resource) && verbs.includes(verb));

it('the operator may write its own kinds and nothing that serves', () => {
  for (const { plural } of kinds)
    expect([plural, allows(operatorRules, 'patch', plural)]).toEqual([plural, true]);
  for (const resource of ['deployments', 'services', 'pods', 'jobs'])
    for (const verb of ['create', 'update', 'patch', 'delete'])
      expect([verb, resource, allows([...operatorRules, ...cloudRules], verb, resource)]).toEqual([
        verb,
        resource,
        false,
      ]);
});

it('no role has a right to everything', () => {
  for (const { metadata, ...role } of clusterRoles())
    for (const { verbs, apiGroups, resources } of role['rules'] as readonly Rule[])
      expect([metadata.name, [...verbs, ...apiGroups, ...resources].includes('*')]).toEqual([
        metadata.name,
        false,
      ]);
});

it('only approvers may approve, and the operator is none', () => {
  expect(allows(personRules.approve, 'approve', 'lifecycleplans')).toBe(true);
  for (const rules of [operatorRules, cloudRules, personRules.edit, personRules.view])
    expect(allows(rules, 'approve', 'lifecycleplans')).toBe(false);
});

it('Secrets and accounts are the operator’s business in the namespaces of clouds only, unless that was said', () => {
  const place = { namespace: 'afloat-system' };
  const bound = (everywhere: boolean) =>
    operatorAccess({ ...place, everywhere })
      .filter(({ kind }) => kind === 'ClusterRoleBinding')
      .map(({ metadata }) => metadata.name);
  expect(bound(false)).toEqual(['afloat-operator']);
  expect(bound(true)).toEqual(['afloat-operator', 'afloat-operator-cloud']);
  expect(
    allows(operatorRules, 'get', 'secrets') || allows(operatorRules, 'impersonate', 'serviceaccounts'),
  ).toBe(false);
  for (const { metadata } of cloudAccess('north', place)) expect(metadata.namespace).toBe('north');
});

it('what everybody may do is to read the definitions of our kinds, by name', () => {
  for (const { verbs, resources, resourceNames } of definitionRules) {
    expect([verbs, resources]).toEqual([['get'], ['customresourcedefinitions']]);
    expect(resourceNames).toHaveLength(kinds.length);
  }
  const everybody = installedObjects({ image: 'a:1', clouds: ['north'] }).filter(object =>
    JSON.stringify(object['subjects'] ?? []).includes('system:authenticated'),
  );
  expect(everybody.map(({ roleRef }) => (roleRef as { name: string }).name)).toEqual(['afloat-definitions']);
});

it('every object of an install can be found again, and is there once', () => {
  const objects = installedObjects({ image: 'a:1', clouds: ['north', 'north'] });
  const places = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace} ${metadata.name}`);
  expect(new Set(places).size).toBe(places.length);
  for (const { kind, metadata } of objects)
    if (kind !== 'CustomResourceDefinition')
      expect([kind, metadata.name, metadata.labels]).toEqual([
        kind,
        metadata.name,
        expect.objectContaining({ 'app.kubernetes.io/part-of': 'afloat' }),
      ]);
});
