import { EmbeddedCluster } from '../../src/cluster/embedded/embedded-cluster.ts';
import { fillWithOldClouds } from '../engine/old-clouds.ts';
import { withStoreFolder } from '../engine/store-folder.ts';
await withStoreFolder(async folder => {
  const s = await EmbeddedCluster.open(folder); console.log(await fillWithOldClouds(s, 10000)); await s.close();
  for (let i = 0; i < 8; i++) { const c0 = process.cpuUsage(); const t = performance.now(); const c = await EmbeddedCluster.open(folder); const w = performance.now() - t; const u = process.cpuUsage(c0); console.log('open wall', w.toFixed(0), 'cpu', ((u.user + u.system) / 1000).toFixed(0)); await c.close(); }
});
