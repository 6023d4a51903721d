import { EmbeddedCluster } from '../../src/cluster/embedded/embedded-cluster.ts';
import { startEngine } from '../../src/controller/engine.ts';
import { barePorts } from '../../bench/engine/bare-ports.ts';
import { CountingCluster } from '../../bench/engine/counting-cluster.ts';
import { withStoreFolder, inTurns, heapMegabytes } from '../../bench/engine/store-folder.ts';
import { namespaceObject, recordObject, stillPackages } from '../../bench/engine/bench-clouds.ts';
const clouds = Number(process.argv[2] ?? 2), per = Number(process.argv[3] ?? 5);
await withStoreFolder(async folder => {
  const inner = await EmbeddedCluster.open(folder);
  const cluster = new CountingCluster(inner);
  const services = Array.from({ length: per }, (_, i) => `service-${i}`);
  for (let c = 0; c < clouds; c++) { await inner.create(namespaceObject(`cloud-${c}`)); await inner.create(recordObject(`cloud-${c}`, services, { approval: 'automatic', maxParallel: 64 })); }
  const stop = new AbortController();
  const t0 = performance.now();
  const engine = await startEngine({ cluster, ports: barePorts(stillPackages), signal: stop.signal, onTrouble: (d, e, w) => console.log('trouble', d, String(e), w) });
  const type = { apiVersion: 'openstacklcm.airshipit.org/v1alpha1', kind: 'Oslc' };
  for (let i = 0; i < 600; i++) {
    await new Promise(r => setTimeout(r, 50));
    const { items } = await inner.list(type);
    const ended = items.filter((o: any) => o.status?.end);
    if (i % 20 === 0) console.log(Math.round(performance.now() - t0), items.length, ended.length, Math.round(process.memoryUsage().heapUsed / 1e6));
    if (ended.length === clouds * per) { console.log('end', Math.round(performance.now() - t0)); break; }
  }
  const { items } = await inner.list(type);
  const ends: any = {}; for (const o of items as any[]) ends[o.status?.end + (o.status?.end === 'operational' ? '' : ' ' + o.status?.reason)] = (ends[o.status?.end] ?? 0) + 1; console.log(ends);
  await engine.idle();
  console.log(Object.fromEntries([...cluster.counts].sort()));
  for (const k of ['LifecyclePlan','OpenstackDeployment']) console.log((await inner.list({ ...type, kind: k })).items.slice(0,1).map((o: any) => JSON.stringify(o.status?.conditions)));
  stop.abort(); await engine.ended; await inner.close();
});
