import { openEmbeddedWorld } from './app/embedded-world.ts';
import { startEmbeddedOperator } from './app/embedded-operator.ts';
import { load } from './record/load.ts';
import { resolveRecord } from './record/resolve-record.ts';
import { openSource } from './package/source/open-source.ts';
import { gatherTargets, neededPackages } from './package/gather-targets.ts';
import { packageDigest } from './package/package-digest.ts';
import { pushPackages } from './controller/store/push-packages.ts';

const [folder, recordFile, seconds = '60'] = process.argv.slice(2);
const stop = new AbortController();
const onTrouble = (doing: string, error: unknown) => console.log('TROUBLE', doing, error instanceof Error ? error.stack : error);
const world = await openEmbeddedWorld({ stateFolder: folder!, signal: stop.signal, onTrouble, isolation: 'loopback' });
const t0 = Date.now();
await startEmbeddedOperator(world, { signal: stop.signal, onTrouble, stateFolder: folder! });
const { manifests } = await load([recordFile!], '');
const { record, findings } = resolveRecord(manifests);
if (!record) throw new Error(JSON.stringify(findings));
const source = openSource('examples');
const pushed = [];
for (const service of record.services) for (const need of neededPackages(record, service)) {
  const src = { type: need.source.type, location: need.source.location.replaceAll('{name}', need.service).replaceAll('{version}', need.version) };
  const read = await source.read(src);
  if (!read.ok) throw new Error(JSON.stringify(read.findings));
  pushed.push({ source: src, files: read.files, digest: packageDigest(read.files) });
}
await world.ensureNamespace(record.namespace);
await pushPackages(world.cluster, record.namespace, pushed);
await world.cluster.patch({ apiVersion: 'openstacklcm.airshipit.org/v1alpha1', kind: 'OpenstackDeployment', namespace: record.namespace, name: record.name }, { type: 'apply', fieldManager: 'try', force: true, value: { ...manifests[0]!.object } as never });
console.log('applied', Date.now() - t0);
let last = '';
for (let i = 0; i < Number(seconds) * 2; i++) {
  await new Promise(r => setTimeout(r, 500));
  const flows = (await world.cluster.list({ apiVersion: 'openstacklcm.airshipit.org/v1alpha1', kind: 'Oslc' })).items as any[];
  const plans = (await world.cluster.list({ apiVersion: 'openstacklcm.airshipit.org/v1alpha1', kind: 'LifecyclePlan' })).items as any[];
  const recs = (await world.cluster.list({ apiVersion: 'openstacklcm.airshipit.org/v1alpha1', kind: 'OpenstackDeployment' })).items as any[];
  const text = [
    ...recs.map(r => `R ${r.metadata.name} ${JSON.stringify(r.status?.conditions?.map((c: any) => `${c.type}=${c.status}/${c.reason}: ${c.message}`))} ${JSON.stringify(r.status?.services?.map((s: any) => `${s.name}@${s.version} ${s.state}`))}`),
    ...plans.map(p => `P ${p.metadata.name} ${p.status?.state} ${p.status?.conditions?.find((c: any) => c.type === 'Ready')?.message}`),
    ...flows.map(f => `F ${f.metadata.name} ${f.status?.actualState} ${f.status?.actualPhase} ${f.status?.end ?? ''} | ${f.status?.reason} | ${(f.status?.moves ?? []).map((m: any) => `${m.id}=${m.state}`).join(' ')}`),
  ].join('\n');
  if (text !== last) console.log(`--- ${Date.now() - t0}\n${text}`);
  last = text;
  for (const p of plans) if (p.status?.state === 'WaitingForApproval' && !p.spec.approval)
    await world.cluster.patch({ apiVersion: p.apiVersion, kind: p.kind, namespace: p.metadata.namespace, name: p.metadata.name }, { type: 'merge', value: { spec: { approval: { digest: p.spec.digest, approvedBy: 'me', approvedAt: new Date().toISOString(), consents: p.spec.plan.steps.flatMap((s: any) => s.consents.map((c: string) => ({ step: s.id, consent: c }))) } } } });
}
stop.abort();
await world.ended;
process.exit(0);
