import { describe, expect, test } from 'vitest';
import { missingForTestCluster, openTestCluster } from './test-cluster.ts';

describe('a cluster that somebody gives us', () => {
  const environment = { AFLOAT_TEST_KUBECONFIG: '/no/such/kubeconfig' };

  test('must be there', async () => {
    expect(await missingForTestCluster(environment)).toContain('/no/such/kubeconfig');
    await expect(openTestCluster(() => {}, environment)).rejects.toThrow('/no/such/kubeconfig');
  });
});
