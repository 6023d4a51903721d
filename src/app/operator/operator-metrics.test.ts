import { describe, expect, it } from 'vitest';
import type { Engine } from '../../controller/engine.ts';
import { Counter, Histogram, metricText } from './metric-text.ts';
import { OperatorMetrics } from './operator-metrics.ts';

describe('metrics', () => {
  it('are written as Prometheus reads them', () => {
    const counter = new Counter();
    counter.add({ a: 'x"y\\z\n' });
    counter.add({ a: 'x"y\\z\n' }, 2);
    const histogram = new Histogram([0.1, 1]);
    for (const value of [0.05, 0.5, 7]) histogram.observe({}, value);
    expect(
      metricText([
        { name: 'c_total', help: 'Counts.', type: 'counter', samples: counter.samples },
        { name: 'h', help: 'Times.', type: 'histogram', samples: histogram.samples },
      ]),
    ).toBe(
      [
        '# HELP c_total Counts.',
        '# TYPE c_total counter',
        'c_total{a="x\\"y\\\\z\\n"} 3',
        '# HELP h Times.',
        '# TYPE h histogram',
        'h_bucket{le="0.1"} 1',
        'h_bucket{le="1"} 2',
        'h_bucket{le="+Inf"} 3',
        'h_sum 7.55',
        'h_count 3',
        '',
      ].join('\n'),
    );
  });

  it('tell passes, requests, queues and clouds', () => {
    const metrics = new OperatorMetrics();
    metrics.passed({ controller: 'flow', key: 'a/b', seconds: 0.01 });
    metrics.passed({ controller: 'flow', key: 'a/b', seconds: 0.01, error: new Error('no') });
    const requests = [
      ['GET', '/api/v1/namespaces/a/pods/b', 200],
      ['GET', '/api/v1/namespaces/a/pods?limit=5', 200],
      ['GET', '/api/v1/pods?watch=true', 200],
      ['GET', '/api/v1/namespaces/a', 404],
      ['PATCH', '/apis/apps/v1/namespaces/a/deployments/b?fieldManager=x', 0],
      ['PUT', '/prefix/apis/g/v1/namespaces/a/oslcs/b/status', 409],
    ] as const;
    for (const [method, path, code] of requests) metrics.answered({ method, path, code });
    const object = (more: object) => ({ metadata: { namespace: 'north' }, ...more });
    const all = (...objects: readonly object[]) => ({ all: () => objects });
    metrics.isLeader = true;
    metrics.engine = {
      depths: () => ({ flow: 2 }),
      known: {
        records: all(object({ status: { services: [{ reason: 'HeldAfterRollback' }, {}] } })),
        plans: all(
          object({ status: { state: 'WaitingForApproval' } }),
          object({ status: { state: 'Done' } }),
        ),
        flows: all(object({ status: { question: {} } }), object({ status: { end: 'operational' } })),
      },
    } as unknown as Engine;
    const lines = metrics.text().split('\n');
    for (const line of [
      'afloat_leader 1',
      'afloat_reconcile_passes_total{controller="flow"} 2',
      'afloat_reconcile_errors_total{controller="flow"} 1',
      'afloat_reconcile_seconds_count{controller="flow"} 2',
      'afloat_queue_depth{controller="flow"} 2',
      'afloat_api_requests_total{verb="get",code="200"} 1',
      'afloat_api_requests_total{verb="list",code="200"} 1',
      'afloat_api_requests_total{verb="watch",code="200"} 1',
      'afloat_api_requests_total{verb="get",code="404"} 1',
      'afloat_api_requests_total{verb="patch",code="0"} 1',
      'afloat_api_requests_total{verb="update",code="409"} 1',
      'afloat_flows{namespace="north",state="running"} 1',
      'afloat_flows{namespace="north",state="operational"} 1',
      'afloat_flows_asking{namespace="north"} 1',
      'afloat_plans_waiting_for_approval{namespace="north"} 1',
      'afloat_holds{namespace="north"} 1',
    ])
      expect(lines).toContain(line);
  });
});
