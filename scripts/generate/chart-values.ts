import { operatorResources } from '../../src/app/deploy/operator-objects.ts';
import { yamlText } from './yaml-text.ts';

const indented = (value: unknown) => yamlText(value).replaceAll(/^(?=.)/gm, '  ');

/** What may be chosen, as a person reads it. */
export const chartValues = `# How many stand by; one of them leads.
replicas: 2

# Without it nobody waits for the lead: only for one replica, which is ended before the next one begins.
leaderElect: true

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

# Records in the namespaces above may have Argo Workflows: their account gets the role afloat-services-workflows, and the operator
# follows them.
argoWorkflows: false

# The same for other kinds that packages bring, for example:
#   - { apiVersion: cert-manager.io/v1, kind: Certificate, resource: certificates }
customKinds: []

# A volume with the packages that paths in existing manifests name, as the spec of a Pod has it, mounted to be read. Every replica needs
# it. For example:
#   persistentVolumeClaim: { claimName: packages, readOnly: true }
packageRoot: {}
# Where the HAProxy is that packages name as their router, as the file of \`--routers\` says it. The operator gets the folders of its machine
# that are named here: its namespace must allow that (no Pod Security level but privileged does), and nodeSelector must lead to that machine.
# For example:
#   haproxy:
#     socket: /var/lib/afloat-haproxy/master.sock
#     folder: /var/lib/afloat-haproxy/routes
#     address: 192.0.2.10
#     previewAddresses: [192.0.2.11, 192.0.2.12]
routers: {}
# Further volumes of the Pod, and where they are mounted.
extraVolumes: []
extraVolumeMounts: []

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
    leaderElect: { type: 'boolean', description: 'Only for one replica can it be left out.' },
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
    argoWorkflows: { type: 'boolean' },
    customKinds: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['apiVersion', 'kind', 'resource'],
        properties: {
          apiVersion: { type: 'string', pattern: '^[a-z0-9.-]+/v[a-z0-9]+$' },
          kind: { type: 'string', pattern: '^[A-Z][A-Za-z0-9]*$' },
          resource: { type: 'string', pattern: '^[a-z0-9]+$' },
        },
      },
    },
    packageRoot: {
      type: 'object',
      maxProperties: 1,
      description: 'A volume as in the spec of a Pod, without its name.',
    },
    routers: {
      type: 'object',
      additionalProperties: false,
      description: 'The file of `--routers`.',
      properties: {
        haproxy: {
          type: 'object',
          additionalProperties: false,
          required: ['socket', 'folder', 'address', 'previewAddresses'],
          properties: {
            socket: { ...text('The socket of its master.'), minLength: 1 },
            folder: { ...text('The folder of its routes.'), pattern: '^/' },
            address: { ...text('Where clients find every route.'), minLength: 1 },
            previewAddresses: { ...texts('Where one slice alone answers.'), uniqueItems: true },
          },
        },
      },
    },
    extraVolumes: { type: 'array', items: { type: 'object' } },
    extraVolumeMounts: { type: 'array', items: { type: 'object' } },
    logLevel: { enum: ['debug', 'info', 'warn', 'error'] },
    extraArgs: {
      ...texts('Further words of `afloat operator`.'),
      items: { type: 'string', not: { pattern: '^--leader-elect' } }, // has a value of its own, which is checked
    },
    resources: { type: 'object' },
    nodeSelector: { type: 'object' },
    tolerations: { type: 'array', items: { type: 'object' } },
    affinity: { type: 'object' },
  },
  // Two that do not wait for each other would relieve each other for ever.
  if: { properties: { leaderElect: { const: false } }, required: ['leaderElect'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { properties: { replicas: { maximum: 1 } } },
} as const;
