import type { CommandFacts, CommandOption } from './command.ts';
import { routers, yes } from './world-commands.ts';

const cluster: readonly CommandOption[] = [
  {
    flags: '--kubeconfig <file>',
    description: 'The cluster; without it the one that kubectl would use, and inside a pod its own.',
    path: true,
  },
  { flags: '--context <name>', description: 'The context of the kubeconfig.' },
];

/** The commands that are about Afloat in a Kubernetes cluster. */
export const clusterCommands = [
  {
    name: 'install',
    summary: 'put the operator and its kinds into a Kubernetes cluster',
    description:
      'Applies the definitions of our kinds, roles, admission policies and the operator with server-side apply; again to bring them to this version. With --dry-run it prints them as YAML and touches nothing.',
    options: [
      ...cluster,
      {
        flags: '-n, --namespace <name>',
        description: 'The namespace of the operator.',
        default: 'afloat-system',
      },
      {
        flags: '--image <name>',
        description: 'The image of the operator; without it `afloat` at this version.',
      },
      {
        flags: '--pull-policy <policy>',
        description: 'When nodes pull the image.',
        choices: ['Always', 'IfNotPresent', 'Never'],
      },
      { flags: '--replicas <number>', description: 'How many stand by; one of them leads.', default: '2' },
      {
        flags: '--cloud <namespace>',
        description:
          'A namespace in which there may be a cloud; made where it is not there. The operator may keep packages and act for accounts there, and it gets an account for the record; may be repeated.',
        many: true,
      },
      {
        flags: '--all-namespaces',
        description: 'Give the operator those rights in every namespace: it may then act for any account.',
      },
      {
        flags: '--watch <namespace>',
        description: 'Look after this namespace only, with rights nowhere else.',
      },
      {
        flags: '--package-root-claim <name>',
        description:
          'A PersistentVolumeClaim in the namespace of the operator with the packages that paths in existing manifests name; it is mounted to be read.',
      },
      {
        ...routers,
        description:
          'The file that says where the HAProxy is that packages name as their router. The operator gets it as a ConfigMap, and the folders of its machine that it names: its namespace must allow that, and its Pods must be on that machine.',
      },
      {
        flags: '--argo-workflows',
        description:
          'Records in namespaces of clouds may have Argo Workflows, and the operator follows them.',
      },
      {
        flags: '--custom-kind <kind>',
        description:
          'The same for another kind that packages bring, such as `cert-manager.io/v1/Certificate`; with `=plural` behind it where that is not the regular one; may be repeated.',
        many: true,
      },
      {
        flags: '--crds-only',
        description: 'The definitions of our kinds and nothing else, as before an upgrade of the chart.',
      },
      { flags: '--dry-run', description: 'Print the objects as YAML and change nothing.' },
    ],
    examples: [
      { line: 'afloat install --cloud openstack', does: 'the operator, and one namespace for a cloud' },
      { line: 'afloat install --dry-run > operator.yaml', does: 'to read first, or to keep in git' },
      { line: 'afloat install --crds-only', does: 'before `helm upgrade`, which changes no definition' },
    ],
  },
  {
    name: 'uninstall',
    summary: 'take the operator out of a Kubernetes cluster',
    description:
      'Removes the operator, its roles and policies. Definitions, records and everything that serves stay, and are known again after an install. With --crds the definitions go too: what will be forgotten is listed first.',
    options: [
      ...cluster,
      {
        flags: '--crds',
        description: 'The definitions too, with every record, plan, flow and revision. What serves runs on.',
      },
      yes,
    ],
    examples: [{ line: 'afloat uninstall --yes', does: 'what serves runs on' }],
  },
  {
    name: 'operator',
    summary: 'run the operator of a Kubernetes cluster',
    description:
      'Carries out the records of a cluster. Of several only one acts, by a Lease; told to stop it ends its passes and hands the lead over. One that loses the lead ends with an exit code, so that it is started anew. Probes are at /healthz and /readyz, metrics at /metrics.',
    options: [
      ...cluster,
      { flags: '-n, --namespace <name>', description: 'Look after this namespace only.' },
      {
        flags: '--metrics-address <address>',
        description: 'Where probes and metrics are, as host:port or :port.',
        default: ':8080',
      },
      {
        flags: '--package-root <folder>',
        description: 'The folder that paths in existing manifests are below.',
        path: true,
      },
      routers,
      {
        flags: '--follow <kind>',
        description:
          'A kind that packages bring, such as `argoproj.io/v1alpha1/Workflow`, whose changes are heard at once; others are looked at now and then. May be repeated.',
        many: true,
      },
      {
        flags: '--leader-elect <choice>',
        description: 'Whether to wait for the lead; with `false` it ends at once where somebody else has it.',
        choices: ['true', 'false'],
        default: 'true',
      },
      {
        flags: '--log-level <level>',
        description: 'From which level on lines are written.',
        choices: ['debug', 'info', 'warn', 'error'],
        default: 'info',
      },
      {
        flags: '--log-format <format>',
        description: '`json`: one object a line. `text`: for people.',
        choices: ['json', 'text'],
        default: 'json',
      },
    ],
    examples: [
      { line: 'afloat operator', does: 'in a pod' },
      {
        line: 'afloat operator --kubeconfig admin.conf --log-format text',
        does: 'on a desk, to see what it does',
      },
    ],
  },
] as const satisfies readonly CommandFacts[];
