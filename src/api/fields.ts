import { choice, flag, integer, list, object, optional, type Schema, text } from './schema/schema.ts';

/** A DNS label: the names of services, components, host groups, databases. */
export function label(description: string): Schema<string> {
  return text(description, {
    max: 63,
    min: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    says: 'small letters, digits and dashes, with a letter or digit at both ends',
  });
}

/** The name of a Kubernetes object. */
export function objectName(description: string): Schema<string> {
  return text(description, {
    max: 253,
    min: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    says: 'small letters, digits, dashes and dots, with a letter or digit at both ends of each part',
  });
}

/** A version as the service's own people write it; what is a version is decided in api/version. */
export function versionText(description: string): Schema<string> {
  return text(description, {
    max: 128,
    min: 1,
    pattern: '^[A-Za-z0-9][A-Za-z0-9.+:~_-]*$',
    says: 'a version, such as 22.0.2, 2025.1 or 2:22.0.2-0+deb12u3',
  });
}

/** A limit on versions, for example `>=10.6 <11`. */
export function versionLimit(description: string): Schema<string> {
  return text(description, { max: 128, min: 1 });
}

/** A digest over content. */
export function digestText(description: string): Schema<string> {
  return text(description, {
    max: 71,
    min: 71,
    pattern: '^sha256:[0-9a-f]{64}$',
    says: '`sha256:` and 64 hexadecimal digits',
  });
}

/** A moment, RFC 3339. */
export function moment(description: string): Schema<string> {
  return text(description, { max: 64, format: 'date-time' });
}

/** A sentence or two for people. */
export function sentence(description: string): Schema<string> {
  return text(description, { max: 1024 });
}

/** The three tiers, in the order they are changed. */
export const tiers = ['infrastructure', 'controlplane', 'dataplane'] as const;
export type Tier = (typeof tiers)[number];

/** How a component's traffic and versions change places. `recreate` is the only one with an outage. */
export const strategies = ['recreate', 'rolling', 'bluegreen'] as const;
export type Strategy = (typeof strategies)[number];

/** What clients of the API, and the workloads of the cloud's users, notice. In order of harm. */
export const impacts = ['none', 'degraded', 'outage'] as const;
export type Impact = (typeof impacts)[number];

/** What a person must say, each apart, before a step that takes something away may run. */
export const consents = ['removal', 'purge', 'contract', 'restore', 'noReturn'] as const;
export type Consent = (typeof consents)[number];

/** Policy for going back, per service. */
export const rollbackPolicy = object('What happens by itself when a change goes wrong.', {
  software: optional(
    choice(
      '`auto`: the software goes back by itself. `ask`: a person is asked first. `hold`: everything stays as it is, for a look.',
      ['auto', 'ask', 'hold'],
    ),
  ),
  data: optional(
    choice(
      '`auto`: data is restored by itself while no client write would be lost. `ask`: a person is always asked. `never`: data is never restored.',
      ['auto', 'ask', 'never'],
    ),
  ),
});

/** The fields of one condition. */
export const conditionFields = {
  type: text('What the condition speaks of, for example `Ready`.', { max: 316, min: 1 }),
  status: choice('Whether it holds.', ['True', 'False', 'Unknown']),
  reason: optional(text('One word for programs, for example `HeldAfterRollback`.', { max: 1024 })),
  message: optional(text('A sentence for people.', { max: 32768 })),
  observedGeneration: optional(
    integer('The generation of the object this was decided on.', { min: 0, max: 9007199254740991 }),
  ),
  resourceName: optional(text('The object this condition is about, where it is another one.', { max: 253 })),
  resourceVersion: optional(integer('The version of that object.', { min: 0, max: 9007199254740991 })),
  lastTransitionTime: optional(moment('When the status last changed.')),
};

/** Conditions as the Kubernetes API conventions have them, with the two fields older manifests know. */
export const conditions = list(
  'What is known about the object, one entry a type.',
  object('One condition.', conditionFields),
  {
    max: 32,
    keys: ['type'],
  },
);

/** The generation a status was computed for. */
export const observedGeneration = integer('The generation of the spec this status was computed for.', {
  min: 0,
  max: 9007199254740991,
});

/** Kept beside the conditions for programs that know the older words. */
export const satisfied = flag('Whether the actual state equals the target state.');
