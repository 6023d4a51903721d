import { describe, expect, it } from 'vitest';
import type { Account, Cluster, ClusterObject } from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import type { ServiceTarget } from '../../package/package.ts';
import { missingRights } from './missing-rights.ts';

const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** A service that brings objects of these kinds. */
function target(service: string, ...kinds: readonly [apiVersion: string, kind: string][]): ServiceTarget {
  const inventory = kinds.map(([apiVersion, kind]) => ({ apiVersion, kind, name: 'a' }));
  return { service, parts: [{ inventory }] } as unknown as ServiceTarget;
}

/** A cluster that lists these rules, allows what it is asked for beside them, and keeps what it was asked. */
function clusterWith(rules: readonly object[], allowed: readonly string[] = []) {
  const asked: string[] = [];
  const users: string[] = [];
  const cluster = {
    as({ user }: Account) {
      users.push(user);
      return cluster;
    },
    async create({ kind, spec }: ClusterObject) {
      if (kind === 'SelfSubjectRulesReview') return { status: { resourceRules: rules, incomplete: true } };
      const { verb, resource } = (spec as { resourceAttributes: { verb: string; resource: string } })
        .resourceAttributes;
      asked.push(`${verb} ${resource}`);
      return { status: { allowed: allowed.includes(`${verb} ${resource}`) } };
    },
  };
  return { cluster: cluster as unknown as Cluster, asked, users };
}

const writer = { namespace: 'north', account: 'default' };
const deployment: [string, string] = ['apps/v1', 'Deployment'];
const job: [string, string] = ['batch/v1', 'Job'];

describe('missingRights', () => {
  it('asks once, in the name of the account, where the account may do everything', async () => {
    const rules = [{ verbs: all, apiGroups: ['apps', 'batch'], resources: ['deployments', 'jobs'] }];
    const { cluster, asked, users } = clusterWith(rules);
    expect(await missingRights(cluster, writer, [target('hello', deployment, job)])).toEqual([]);
    expect([asked, users]).toEqual([[], ['system:serviceaccount:north:default']]);
  });

  it('names the account, the rights and what gives them, for the services that need them', async () => {
    const rules = [{ verbs: all, apiGroups: ['batch'], resources: ['*'] }];
    const { cluster } = clusterWith(rules);
    const [missing, ...others] = await missingRights(cluster, writer, [
      target('world', job),
      target('hello', deployment, job),
    ]);
    expect(others).toEqual([]);
    expect([missing?.service, missing?.finding.code, missing?.finding.message]).toEqual([
      'hello',
      'ClusterForbidden',
      'the account of the record, system:serviceaccount:north:default, may not create deployments.apps, get deployments.apps, patch deployments.apps',
    ]);
    expect(missing?.finding.advice).toContain(
      'kubectl -n north create rolebinding afloat-services-default --clusterrole=afloat-services --serviceaccount=north:default',
    );
  });

  it('asks by itself, once, for what is in no list: not every authorizer can list what it allows', async () => {
    const { cluster, asked } = clusterWith([], ['get jobs', 'create jobs']);
    const targets = [target('hello', job), target('world', job)];
    expect(await missingRights(cluster, writer, targets)).toEqual([]);
    expect(asked).toEqual(['create jobs', 'get jobs']);
  });

  it('takes a rule for names as one for ours, but nothing is created by name', async () => {
    const named = { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'] };
    const { cluster } = clusterWith([{ ...named, verbs: all }]);
    const [missing] = await missingRights(cluster, writer, [target('hello', deployment)]);
    expect(missing?.finding.message).toMatch(/may not create deployments.apps$/);
  });

  it('says nothing of kinds whose resource it could only guess', async () => {
    const { cluster, asked } = clusterWith([]);
    const targets = [target('hello', ['example.org/v1', 'Deployment'])];
    expect([await missingRights(cluster, writer, targets), asked]).toEqual([[], []]);
  });

  it('knows of nothing missing where it may not ask', async () => {
    const cluster = {
      as: () => cluster,
      create: async () => {
        throw new ClusterError('Forbidden', 'no reviews');
      },
    };
    expect(await missingRights(cluster as unknown as Cluster, writer, [target('hello', deployment)])).toEqual(
      [],
    );
  });
});
