import { operatorResources } from '../../src/app/deploy/operator-objects.ts';
import { yamlText } from './yaml-text.ts';

const indented = (value: unknown) => yamlText(value).replaceAll(/^(?=.)/gm, '  ');

/** What may be chosen, as a person reads it. */
export const chartValues = `# How many stand by; one of them leads.
replicas: 2

image:
  repository: afloat
  # Without it the version of the chart.
  tag: ""
  pullPolicy: IfNotPresent
imagePullSecrets: []

# Namespaces in which there may be a cloud. They must be there. In each the operator may keep packages as Secrets and act for
# service accounts, and an account for records is made: afloat-services.
clouds: []

# The same rights in every namespace instead: the operator may then act for any account of the cluster.
allNamespaces: false

# Look after this namespace only, with rights nowhere else.
watchNamespace: ""

logLevel: info
# Further words of \`afloat operator\`.
extraArgs: []

resources:
${indented(operatorResources)}nodeSelector: {}
tolerations: []
affinity: {}
`;

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });
const namespaceName = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' };

/** What Helm refuses before it renders anything. */
export const chartSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  properties: {
    global: { type: 'object' },
    replicas: { type: 'integer', minimum: 1, maximum: 10, description: 'How many stand by.' },
    image: {
      type: 'object',
      additionalProperties: false,
      required: ['repository'],
      properties: {
        repository: { ...text('Without a tag.'), minLength: 1 },
        tag: text('Without it the version of the chart.'),
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
      },
    },
    imagePullSecrets: { type: 'array', items: { type: 'object' } },
    clouds: { type: 'array', items: namespaceName, uniqueItems: true },
    allNamespaces: { type: 'boolean' },
    watchNamespace: { anyOf: [{ const: '' }, namespaceName] },
    logLevel: { enum: ['debug', 'info', 'warn', 'error'] },
    extraArgs: texts('Further words of `afloat operator`.'),
    resources: { type: 'object' },
    nodeSelector: { type: 'object' },
    tolerations: { type: 'array', items: { type: 'object' } },
    affinity: { type: 'object' },
  },
} as const;
