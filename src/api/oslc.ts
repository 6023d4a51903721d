import { conditions, observedGeneration, satisfied } from './fields.ts';
import type { Kind, ObjectOf } from './kind.ts';
import { stateColumns } from './phase-kinds.ts';
import { phaseNames, phaseStates } from './phase-names.ts';
import { choice, defaulted, integer, object, optional, text } from './schema/schema.ts';

const spec = object(
  'Which flow of which service.',
  {
    serviceName: text('The service.', { max: 253, min: 1 }),
    serviceEndPoint: optional(text('Address under which clients reach the service.', { max: 2048 })),
    source: object(
      'Where the flow comes from.',
      {
        type: text(
          '`generate`: the built-in flow, `location` is the package. `local`: a YAML file. `tar`: a chart that brings its own flow.',
          { max: 63 },
        ),
        location: text('Path of the package, file or chart.', { max: 4096 }),
      },
      { keepsUnknown: true },
    ),
    flowKind: text(
      'The flow: `install`, `upgrade`, `rollback`, `uninstall`, or one that the chart brings, such as `all-phases`.',
      { max: 63, min: 1 },
    ),
    targetState: defaulted(
      choice('The state to reach; `uninitialized` lays the phases out without acting on them.', [
        '',
        ...phaseStates,
      ]),
      'deployed',
    ),
    revisionHistoryLimit: defaulted(integer('How many finished flows are kept.', { min: 0, max: 1000 }), 10),
  },
  { keepsUnknown: true },
);

const status = object('Where the flow is.', {
  satisfied: optional(satisfied),
  reason: optional(text('Why the state is what it is.', { max: 1024 })),
  actualState: optional(choice('The state now.', phaseStates)),
  actualPhase: optional(choice('The phase the service is in.', phaseNames)),
  observedGeneration: optional(observedGeneration),
  conditions: optional(conditions),
});

/** One flow of one service. */
export const oslc = {
  kind: 'Oslc',
  plural: 'oslcs',
  shortName: 'oslc',
  description: 'One flow of one service: a walk through phases.',
  columns: stateColumns,
  spec,
  status,
} satisfies Kind;

export type Oslc = ObjectOf<typeof oslc>;
