import type { LifecyclePlan } from '../../api/lifecycle-plan.ts';
import type { OpenstackDeployment } from '../../api/openstack-deployment.ts';
import type { Oslc } from '../../api/oslc.ts';
import type { ApiAnswer } from '../../cluster/kubernetes/connection.ts';
import type { Engine } from '../../controller/engine.ts';
import type { EndedPass } from '../../reconcile/reconcile.ts';
import { Counter, Histogram, type Labels, type Metric, metricText, type Sample } from './metric-text.ts';

/** From a pass that finds nothing to do, to one that renders a large cloud. */
const secondsBounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

/** Everything the operator counts; what is told of clouds is read from the objects at hand when somebody asks. */
export class OperatorMetrics {
  readonly #passes = new Counter();
  readonly #errors = new Counter();
  readonly #seconds = new Histogram(secondsBounds);
  readonly #requests = new Counter();
  /** The engine of this process while it leads. */
  engine: Engine | undefined;
  isLeader = false;

  passed({ controller, seconds, error }: EndedPass): void {
    this.#passes.add({ controller });
    this.#seconds.observe({ controller }, seconds);
    if (error !== undefined) this.#errors.add({ controller });
  }

  answered(answer: ApiAnswer): void {
    this.#requests.add({ verb: verbOf(answer), code: String(answer.code) });
  }

  /** As Prometheus reads it. */
  text(): string {
    return metricText([
      gauge('afloat_leader', 'Whether this process leads.', [{ value: this.isLeader ? 1 : 0 }]),
      counter('afloat_reconcile_passes_total', 'Passes that have ended.', this.#passes.samples),
      counter('afloat_reconcile_errors_total', 'Passes that failed and are repeated.', this.#errors.samples),
      {
        name: 'afloat_reconcile_seconds',
        help: 'How long passes took.',
        type: 'histogram',
        samples: this.#seconds.samples,
      },
      gauge('afloat_queue_depth', 'Keys that wait for a pass.', depthsOf(this.engine)),
      counter(
        'afloat_api_requests_total',
        'Requests to the API server by verb and HTTP status; 0 where nothing answered.',
        this.#requests.samples,
      ),
      ...cloudMetrics(this.engine),
    ]);
  }
}

function cloudMetrics(engine: Engine | undefined): Metric[] {
  if (!engine) return [];
  const records = engine.known.records.all() as unknown as readonly OpenstackDeployment[];
  const plans = engine.known.plans.all() as unknown as readonly LifecyclePlan[];
  const flows = engine.known.flows.all() as unknown as readonly Oslc[];
  const planState = ({ status }: LifecyclePlan) => status?.state ?? 'Unknown';
  return [
    gauge('afloat_records', 'Records of clouds.', [{ value: records.length }]),
    gauge(
      'afloat_flows',
      'Flows by how they ended, or `running`.',
      countBy(flows, flow => ({ namespace: namespaceOf(flow), state: flow.status?.end ?? 'running' })),
    ),
    gauge(
      'afloat_flows_asking',
      'Flows that wait for the answer of a person.',
      countBy(
        flows.filter(({ status }) => status?.end === undefined && status?.question !== undefined),
        flow => ({ namespace: namespaceOf(flow) }),
      ),
    ),
    gauge(
      'afloat_plans',
      'Plans by state.',
      countBy(plans, plan => ({ namespace: namespaceOf(plan), state: planState(plan) })),
    ),
    gauge(
      'afloat_plans_waiting_for_approval',
      'Plans that wait for the word of a person.',
      countBy(
        plans.filter(plan => planState(plan) === 'WaitingForApproval'),
        plan => ({ namespace: namespaceOf(plan) }),
      ),
    ),
    gauge('afloat_holds', 'Services that are held against their record.', heldServices(records)),
  ];
}

/** As the records say it of their services. */
function heldServices(records: readonly OpenstackDeployment[]): readonly Sample[] {
  return countBy(
    records.flatMap(record =>
      (record.status?.services ?? [])
        .filter(({ reason }) => reason?.startsWith('Held'))
        .map(() => ({ namespace: namespaceOf(record) })),
    ),
    labels => labels,
  );
}

function namespaceOf({ metadata }: { readonly metadata: { readonly namespace?: string } }): string {
  return metadata.namespace ?? '';
}

function depthsOf(engine: Engine | undefined): readonly Sample[] {
  return Object.entries(engine?.depths() ?? {}).map(([controller, value]) => ({
    labels: { controller },
    value,
  }));
}

function countBy<T>(all: readonly T[], labelsOf: (one: T) => Labels): readonly Sample[] {
  const counter = new Counter();
  for (const one of all) counter.add(labelsOf(one));
  return counter.samples;
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'counter', samples };
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples };
}

/** The verb as RBAC calls it. A path that goes on after the resource names one object. */
function verbOf({ method, path }: ApiAnswer): string {
  const [place = '', query = ''] = path.split('?');
  if (/(^|&)watch=/.test(query)) return 'watch';
  const words = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;
  if (method !== 'GET') return words[method];
  const [, below = ''] = /^.*?\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/(.*)$/.exec(place) ?? [];
  const rest = below.replace(/^namespaces\/[^/]+\/(?=.)/, '');
  return rest.includes('/') ? 'get' : 'list';
}
