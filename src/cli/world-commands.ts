import type { CommandFacts, CommandOption } from './command.ts';

const state: CommandOption = {
  flags: '--state <folder>',
  description: 'The folder of the embedded world on this machine.',
  path: true,
};

/** Where routers are that packages name. */
export const routers: CommandOption = {
  flags: '--routers <file>',
  description: 'The file that says where the HAProxy and nginx are that packages name as their router.',
  path: true,
};

/** Where the world is. */
const place: readonly CommandOption[] = [
  state,
  {
    flags: '--kubeconfig <file>',
    description:
      'A Kubernetes cluster instead of the world on this machine. The variable AFLOAT_KUBECONFIG says the same; KUBECONFIG alone does not.',
    path: true,
  },
  {
    flags: '--context <name>',
    description: 'A context of that kubeconfig; alone, of the one that kubectl would use.',
  },
];

/** Where the world is, and which cloud of it is meant; the same for every command that talks to one. */
export const where: readonly CommandOption[] = [
  ...place,
  {
    flags: '-n, --namespace <name>',
    description: 'The namespace of the cloud; without it, that of the only record there is.',
  },
];

const output: CommandOption = {
  flags: '-o, --output <format>',
  description: 'How the result is written.',
  choices: ['text', 'json', 'yaml'],
  default: 'text',
};

/** For whoever is sure. */
export const yes: CommandOption = {
  flags: '-y, --yes',
  description: 'Do not ask. Needed where there is no terminal to ask on.',
};

const wait: readonly CommandOption[] = [
  { flags: '--wait', description: 'Follow the change to its end; the default on a terminal.' },
  { flags: '--no-wait', description: 'Return as soon as it is asked for.' },
];

const service = { flags: '<service>', description: 'The service.' };

/** The commands that are about a world that runs, in the order a newcomer meets them. */
export const worldCommands = [
  {
    name: 'up',
    summary: 'start the world of this machine: store, runtime, operator',
    description:
      'Starts everything a cloud needs on this machine, without a cluster and without containers, and says where. What an earlier run left running is taken up again. Stays in the foreground until Ctrl-C; the processes of the cloud run on after that.',
    options: [
      state,
      { flags: '--detach', description: 'Return as soon as it answers, and leave it running.' },
      {
        flags: '--isolation <kind>',
        description: 'How Pods are kept apart; `auto` takes the best this machine and user can give.',
        choices: ['auto', 'namespaces', 'loopback'],
        default: 'auto',
      },
      routers,
    ],
    needsWorld: true,
    examples: [
      { line: 'afloat up', does: 'in the foreground' },
      { line: 'afloat up --detach', does: 'and go on working in this shell' },
    ],
  },
  {
    name: 'down',
    summary: 'end the world of this machine',
    description:
      'Ends the manager. The processes of the cloud run on and serve; the next `up` takes them up again. With --all they are ended too; objects and volumes stay.',
    options: [
      state,
      { flags: '--all', description: 'End every process of the cloud too: nobody is served any more.' },
      yes,
      output,
    ],
    needsWorld: true,
    examples: [
      { line: 'afloat down', does: 'the cloud serves on' },
      { line: 'afloat down --all --yes', does: 'nothing runs any more' },
    ],
  },
  {
    name: 'apply',
    summary: 'bring a record and its packages into the world',
    description:
      'Checks the record and its packages, uploads the packages and applies the record; where anything is wrong nothing is written. Says what the record asks for and will not happen, such as the change of a service that is held, and what helps. The operator makes a plan of it. On a terminal it then shows the plan, asks, and follows the plan for this very record; the exit code says how it ended.',
    argument: {
      flags: '<files...>',
      description: 'Files or folders with the record; `-` is standard input.',
    },
    options: [
      ...where,
      { flags: '--approve', description: 'Approve the plan that comes of it, whatever it is.' },
      { flags: '-m, --message <text>', description: 'Why; kept with the record.' },
      ...wait,
      output,
    ],
    needsWorld: true,
    examples: [
      { line: 'afloat apply examples/cloud.yaml', does: 'asks before anything is changed' },
      { line: 'afloat apply examples/cloud.yaml --approve --wait', does: 'for a pipeline' },
    ],
  },
  {
    name: 'push',
    summary: 'bring the packages of a record into the world',
    description:
      'Checks the record and its packages and uploads the packages, without applying the record: for records that something else applies, such as a GitOps tool. `apply` does it by itself. Of manifests of flows and phases that a person wrote by hand it uploads what they name.',
    argument: {
      flags: '<files...>',
      description: 'Files or folders with the record or the manifests; `-` is standard input.',
    },
    options: [...where, output],
    needsWorld: true,
    examples: [{ line: 'afloat push examples/cloud.yaml', does: 'before a GitOps tool applies the record' }],
  },
  {
    name: 'status',
    summary: 'who serves, whether requests fail, what happens next, what to do',
    description:
      'Begins with five facts: who serves clients now; whether requests fail; whether it is safe to leave until morning; what happens next by itself, and when; the one recommended command, how long it takes and what it costs. Then every service, and the plan.',
    argument: { flags: '[service]', description: 'Of the services only this one.' },
    options: [...where, output],
    needsWorld: true,
    examples: [
      { line: 'afloat status', does: 'at three in the morning' },
      { line: 'afloat status -o json', does: 'the same for programs' },
    ],
  },
  {
    name: 'watch',
    summary: 'follow a change while it runs',
    description:
      'Shows services, phases, bars, estimates and the reason of every wait, and goes on until the plan has ended or Ctrl-C. On a terminal it draws in place; elsewhere it writes a short line for whatever changed. The exit code says how it ended.',
    options: where,
    needsWorld: true,
    examples: [{ line: 'afloat watch', does: 'until the change is done' }],
  },
  {
    name: 'logs',
    summary: 'what the tasks and pods of a service wrote',
    description:
      'Prints the output of the tasks of the running or last flow of a service, and of its own pods, each line with the pod it came from.',
    argument: service,
    options: [
      ...where,
      { flags: '--task <name>', description: 'Only tasks or phases with this in their name.' },
      { flags: '-f, --follow', description: 'Go on until Ctrl-C.' },
      { flags: '-p, --previous', description: 'Of the run before the one that is now.' },
      { flags: '--since <duration>', description: 'Only what was written since then, as 90s, 10m or 2h.' },
      { flags: '-t, --timestamps', description: 'With the time before each line.' },
    ],
    needsWorld: true,
    examples: [
      { line: 'afloat logs keystone --task test', does: 'why the test failed' },
      {
        line: 'afloat logs keystone --since 10m -t',
        does: 'what it wrote in the last ten minutes, and when',
      },
    ],
  },
  {
    name: 'history',
    summary: 'what happened: changes that ended, revisions, by whom',
    description: 'Lists every flow that ended and every revision, the newest first.',
    argument: { flags: '[service]', description: 'Only this service.' },
    options: [...where, output],
    needsWorld: true,
    examples: [{ line: 'afloat history keystone', does: 'the revisions one can go back to' }],
  },
  {
    name: 'diff',
    summary: 'what the record says against what runs, or one revision against another',
    description:
      'Without words: every service whose version or objects are not as the record says. With a service and two revision numbers: what differs between them, object by object.',
    argument: { flags: '[words...]', description: 'Nothing, or a service and two revisions.' },
    options: [...where, output],
    needsWorld: true,
    examples: [
      { line: 'afloat diff', does: 'the record against what runs' },
      { line: 'afloat diff keystone 3 4', does: 'what the last change changed' },
    ],
  },
  {
    name: 'approve',
    summary: "give a person's word: to a plan, a stage, a question",
    description:
      'Approves the plan with its digest, so that it starts; consents to steps that take something away; lets a stage with a gate begin; answers what a flow asks. Only what is named is approved.',
    argument: { flags: '[plan]', description: 'The plan; without it the one that counts.' },
    options: [
      ...where,
      {
        flags: '--digest <digest>',
        description: 'The digest that was read, or its first digits: refused when the plan has another.',
      },
      { flags: '--consent <step=consent>', description: 'Agree to one step; may be repeated.', many: true },
      { flags: '--stage <name>', description: 'Let this stage begin; may be repeated.', many: true },
      {
        flags: '--answer <service:question=answer>',
        description: 'Answer yes or no; may be repeated.',
        many: true,
      },
      {
        flags: '--cut <service=number>',
        description: 'Let so many requests be cut that a drain waits for; may be repeated.',
        many: true,
      },
      {
        flags: '--contract <service>',
        description:
          'Make and approve the plan that contracts the databases of a service: its point of no return.',
      },
      yes,
      output,
    ],
    needsWorld: true,
    examples: [
      { line: 'afloat approve --digest 1f3a5c7e9b2d', does: 'the plan with this digest' },
      { line: 'afloat approve --answer keystone:restore=yes', does: 'answer a question' },
    ],
  },
  {
    name: 'adopt',
    summary: 'make a record of what Helm runs already',
    description:
      'Reads the Helm releases of a namespace and writes a record that asks for what runs, with a first revision for each service. Nothing that runs is touched: no object changes, no pod starts anew. The next change of a service is an ordinary upgrade, and what was found can be returned to.',
    argument: { flags: '[releases...]', description: 'Helm releases; all of the namespace without them.' },
    options: [
      ...where,
      {
        flags: '--cloud <name>',
        description: 'The name of a new record; without it that of the namespace.',
      },
      {
        flags: '--service-account <name>',
        description: 'The ServiceAccount in whose name the services are changed from then on.',
      },
      yes,
      output,
    ],
    needsWorld: true,
    examples: [
      {
        line: 'afloat adopt keystone glance -n openstack --yes',
        does: 'two releases become services of a record',
      },
    ],
  },
  {
    name: 'pause',
    summary: 'let no further step start',
    description: 'No further step of the plan starts; what runs goes on to its end.',
    argument: { flags: '[plan]', description: 'The plan; refused where another one is under way.' },
    options: [...where, yes, output],
    needsWorld: true,
    examples: [{ line: 'afloat pause --yes', does: 'no further step starts' }],
  },
  {
    name: 'resume',
    summary: 'let a paused plan go on',
    description: 'The plan goes on where it was paused.',
    argument: { flags: '[plan]', description: 'The plan; refused where another one is under way.' },
    options: [...where, yes, output],
    needsWorld: true,
    examples: [{ line: 'afloat resume --yes', does: 'it goes on' }],
  },
  {
    name: 'abort',
    summary: 'end the plan, or the change of one service, in the safest state',
    description:
      'Says beforehand which state each flow will be brought to, then asks. What is done stays done; what runs goes back, or on, to the nearest safe state and ends.',
    argument: { flags: '[service]', description: 'Only the flow of this service.' },
    options: [...where, yes, output],
    needsWorld: true,
    examples: [{ line: 'afloat abort keystone --yes', does: 'keystone goes back' }],
  },
  {
    name: 'rollback',
    summary: 'bring a service back to a former revision',
    description:
      'While the old version is still kept, traffic is moved back to it. After that a plan goes back to the revision before, or the one that is named. The service is then held; the record is not changed, and the change to make in git is printed. With --wait the exit code says whether it came back.',
    argument: service,
    options: [
      ...where,
      { flags: '--to <revision>', description: 'The revision; without it the one before.' },
      yes,
      ...wait,
      output,
    ],
    needsWorld: true,
    examples: [{ line: 'afloat rollback keystone --yes', does: 'to what was there before' }],
  },
  {
    name: 'retry',
    summary: 'try what is held once more',
    description: 'Releases the hold of a service: what the record says of it is planned and tried again.',
    argument: service,
    options: [...where, yes, output],
    needsWorld: true,
    examples: [{ line: 'afloat retry keystone --yes', does: 'once the cause is gone' }],
  },
  {
    name: 'doctor',
    summary: 'check this machine and the world, with advice',
    description:
      'Looks at Node, isolation, the state folder and its room, the manager, the record, holds and questions; says of each whether it is well and what to do where it is not.',
    options: [...where, output],
    needsWorld: true,
    examples: [{ line: 'afloat doctor', does: 'when something is odd' }],
  },
] as const satisfies readonly CommandFacts[];
