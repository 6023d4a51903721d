/**
 * What may be done about an error: `retry` by itself with back-off, `wait` for something named, `terminal` until a
 * person changes something, `bug` in Afloat.
 */
export type ErrorClass = 'retry' | 'wait' | 'terminal' | 'bug';

interface CatalogEntry {
  readonly class: ErrorClass;
  /** The condition reason it becomes on an object. */
  readonly reason: string;
  /** What it means, in a sentence. */
  readonly means: string;
  /** What a person can do. */
  readonly advice: string;
}

/** An input that cannot be carried out as it is: most of what the pure half finds. */
function refused(reason: string, means: string, advice: string): CatalogEntry {
  return { class: 'terminal', reason, means, advice };
}

/** A passing fault: tried again by itself, with back-off. */
function again(reason: string, means: string, advice: string): CatalogEntry {
  return { class: 'retry', reason, means, advice };
}

/** Something that somebody else must end first. */
function waits(reason: string, means: string, advice: string): CatalogEntry {
  return { class: 'wait', reason, means, advice };
}

/**
 * Every error Afloat speaks of, by code. Codes are API: programs decide by them, tests assert them, the page
 * docs/reference/errors.md lists them. A code is never given a new meaning.
 */
export const errorCatalog = {
  // Reading files
  FileUnreadable: refused(
    'InputInvalid',
    'A file or folder cannot be read.',
    'Check the path and its permissions.',
  ),
  FileTooLarge: refused(
    'InputInvalid',
    'A file is larger than any sensible one.',
    'Split it, or check that it is the right file.',
  ),
  FileNotText: refused(
    'InputInvalid',
    'A file holds bytes that are not UTF-8 text.',
    'Check that it is the right file and save it as UTF-8.',
  ),
  FileEmpty: refused('InputInvalid', 'A file has no document in it.', 'Start from `afloat init`.'),
  YamlSyntax: refused('InputInvalid', 'A file is not valid YAML.', 'Correct the place that is named.'),
  YamlTooComplex: refused(
    'InputInvalid',
    'A YAML file expands or nests without measure.',
    'Write the content out, or nest it less deeply.',
  ),

  // Fields
  KindUnknown: refused(
    'InputInvalid',
    'A document is of no kind known here.',
    'Check `apiVersion` and `kind`.',
  ),
  FieldUnknown: refused(
    'InputInvalid',
    'A field is not known.',
    'Remove it or correct its name; the reference page of the kind lists all fields.',
  ),
  FieldMissing: refused('InputInvalid', 'A required field is missing.', 'Add it.'),
  FieldType: refused(
    'InputInvalid',
    'A value is of the wrong type.',
    'Write the value as the reference page of the kind shows it.',
  ),
  FieldInvalid: refused('InputInvalid', 'A value is not one that is allowed.', 'Use an allowed value.'),
  FieldDuplicate: refused(
    'InputInvalid',
    'Two entries of a list or map have the same key.',
    'Remove one of the two, or give it another name.',
  ),
  RuleBroken: refused(
    'InputInvalid',
    'Fields that belong together contradict each other.',
    'Change one of them.',
  ),

  // Record
  NoRecord: refused(
    'InputInvalid',
    'There is no OpenstackDeployment in the input.',
    'Name a file that holds one, or start from `afloat init`.',
  ),
  SecondRecord: refused(
    'InputInvalid',
    'There is more than one record for one namespace.',
    'Keep one record per namespace.',
  ),
  InlineSecret: refused(
    'InputInvalid',
    'A record holds a secret in plain text.',
    'Put it into a Secret and name that under `valuesFrom`.',
  ),
  VersionInvalid: refused(
    'InputInvalid',
    'A text is not a version, or not a limit on versions.',
    'Write a version such as 22.0.2, 2025.1 or 2:22.0.2-0+deb12u3, and a limit such as >=22 <28.',
  ),
  SourceMissing: refused(
    'InputInvalid',
    'Neither the service nor the record says where its package comes from.',
    'Give the record or the service a `source`.',
  ),
  ReferenceUnknown: refused(
    'InputInvalid',
    'A name stands for nothing in this record.',
    'Correct the name, or add what it stands for.',
  ),

  // Package
  PackageNotFound: refused(
    'PackageNotFound',
    'The package of a service is not where its source says.',
    'Check `source.location` and the version, or put the package there.',
  ),
  GitFailed: refused(
    'PackageNotFound',
    'A git repository does not give the commit that was asked for.',
    'Check `location` and `commit`, and that the repository can be reached from here without a password.',
  ),
  PackageUnsafe: refused(
    'PackageInvalid',
    'A package reaches outside its own folder, by path or by link.',
    'Pack it again without absolute paths, `..` and links that lead out.',
  ),
  PackageTooLarge: refused(
    'PackageInvalid',
    'A package is larger than allowed.',
    'Leave out what the service does not need at run time.',
  ),
  PackageInvalid: refused(
    'PackageInvalid',
    'A package lacks something or contradicts itself.',
    'Correct the package.',
  ),
  PackageMismatch: refused(
    'PackageInvalid',
    'A package is of another service or version than the record asked for.',
    'Correct the version in the record, or the package.',
  ),
  DigestMismatch: refused(
    'PackageInvalid',
    'The content of a package is not what the record pins.',
    'Find out who changed the package; then change `digest` in the record.',
  ),
  HelmMissing: refused(
    'HelmMissing',
    'A package is a Helm chart, and there is no Helm to render it.',
    'Put `helm` on the PATH, name it in AFLOAT_HELM, or run `make helm`.',
  ),
  ChartRefused: refused(
    'PackageInvalid',
    'Helm cannot render a chart with these values.',
    'Correct the chart or the values; `helm template` with the same values says the same.',
  ),
  ChartTooMuch: refused(
    'PackageInvalid',
    'A chart takes more time or memory, or renders to more, than any sensible one.',
    'Look for a template that loops, or that writes the same again and again.',
  ),
  ChartVaries: refused(
    'PackageInvalid',
    'A chart renders to something else each time, or asks the cluster while it is rendered.',
    'Set the value in the record, or name it under `generated` in the lifecycle.yaml of the chart: it is then made once and kept.',
  ),
  ManifestInvalid: refused(
    'PackageInvalid',
    'A manifest of a package is no Kubernetes object.',
    'Give it `apiVersion`, `kind` and `metadata.name`.',
  ),
  ValueMissing: refused(
    'ValueMissing',
    'A manifest asks for a value that nobody gives.',
    "Set it in the record under `values` or `shared`, or in the package's values.yaml.",
  ),
  PackageNotInCluster: refused(
    'PackageNotFound',
    'The package of a service was not brought into the cluster.',
    'Run `afloat apply` or `afloat push` where the packages are.',
  ),
  ReleaseNotFound: refused(
    'ReleaseNotFound',
    'A release that shall be adopted is not there.',
    'See what is there with `helm list`.',
  ),
  ReleaseNotSettled: refused(
    'ReleaseNotSettled',
    'Helm is in the middle of changing a release, or failed to.',
    'Bring it to its end with Helm, then adopt it.',
  ),
  AlreadyAdopted: refused(
    'AlreadyAdopted',
    'Afloat looks after the service already.',
    'See it with `afloat status`.',
  ),
  ReleaseUnreadable: refused(
    'ReleaseUnreadable',
    'What Helm wrote down of a release cannot be read.',
    'Look at the release with `helm status`.',
  ),
  StoredContentDamaged: refused(
    'StoredContentDamaged',
    'A Secret that Afloat keeps is gone, or does not hold what was kept in it.',
    'For a package, run `afloat push` where the packages are; otherwise bring the Secret that is named back from a backup.',
  ),
  ValuesFromMissing: waits(
    'ValuesFromMissing',
    'A Secret or ConfigMap that values come from is not there, or lacks the key.',
    'Create it, or set `optional: true` where the object may be absent.',
  ),
  TaskMissing: refused(
    'PackageInvalid',
    'A package names a task that none of its manifests is.',
    'Add the manifest, or correct the name.',
  ),

  // Plan
  RequirementMissing: refused(
    'PlanRefused',
    'A service needs another one that is not in the record.',
    'Add the service that is needed, or remove the one that needs it.',
  ),
  VersionLimitBroken: refused(
    'PlanRefused',
    'A version is outside the limit another service sets.',
    'Choose a version inside the limit, or change both services in one plan.',
  ),
  SkewBroken: refused(
    'PlanRefused',
    'A component would be too many releases behind the others.',
    'Bring the component forward first.',
  ),
  UnsupportedJump: refused(
    'PlanRefused',
    'An upgrade skips releases that upstream does not support skipping.',
    'Go release by release (or from SLURP to SLURP), or set `allowUnsupportedJump: true` for the service.',
  ),
  ImageUnknown: refused(
    'PlanRefused',
    'On one machine there is no container engine, and the package does not say which program an image stands for.',
    'Name the image under `images` in its lifecycle.yaml, or plan for a Kubernetes cluster.',
  ),
  IsolationMissing: refused(
    'PlanRefused',
    'A container needs namespaces of its own, and the runtime on this machine cannot make them.',
    'Run Afloat as root; or let the program listen on `$POD_IP` and read under `$POD_ROOT`, mount volumes beside each other, and say `isolation: none` of its image.',
  ),
  RootMissing: refused(
    'PlanRefused',
    'A container or a Service needs what only root may do: be another user or group, or listen on a port below 1024.',
    'Run Afloat as root; or leave out `runAsUser` and `runAsGroup`, and use ports from 1024 on.',
  ),
  RouterUnknown: refused(
    'PlanRefused',
    'A package names a router that Afloat was not told of.',
    'Start Afloat with `--routers` and a file that says where the router is (`afloat up`, `afloat operator`, `afloat install`), or leave `traffic.router` out of the package.',
  ),
  DependencyCycle: refused(
    'PlanRefused',
    'Services wait for each other in a circle.',
    'Take one of the named dependencies away.',
  ),
  RevisionUnknown: refused(
    'PlanRefused',
    'The record asks for a lower version that never ran here.',
    'Name a version that is in the history (`afloat history`), or a higher one.',
  ),
  StrategyRefused: refused(
    'PlanRefused',
    'The strategy cannot carry this change without breaking the version that serves.',
    'Use `strategy: recreate` for this change.',
  ),
  RestoreRefused: refused(
    'PlanRefused',
    'Going back needs data to be restored, and policy or facts forbid it.',
    'Go forward instead, or change the data policy of the service.',
  ),
  StillRequired: refused(
    'PlanRefused',
    'A service is to be removed while others need it.',
    'Remove those that need it first, or in the same plan.',
  ),
  StateInvalid: refused(
    'PlanRefused',
    'The observed state cannot be planned from.',
    'Correct the file, or observe the cloud again.',
  ),

  // Cluster
  ClusterNotFound: refused(
    'NotFound',
    'An object, or a kind of objects, is not there.',
    'Check the name and the namespace; for a kind, whether its CRD is installed.',
  ),
  ClusterAlreadyExists: refused(
    'AlreadyExists',
    'An object of that name is already there.',
    'Choose another name, or change the one that is there.',
  ),
  ClusterConflict: again(
    'Conflict',
    'Somebody else changed the object meanwhile, or owns a field.',
    'Read it again and repeat the change.',
  ),
  ClusterInvalid: refused(
    'Invalid',
    'The cluster refuses an object; every field that is wrong is named.',
    'Correct the fields that are named.',
  ),
  ClusterBadRequest: refused(
    'BadRequest',
    'The cluster cannot read what it was sent.',
    'Correct the object or the selector.',
  ),
  ClusterUnauthorized: refused(
    'Unauthorized',
    'The cluster does not know who is asking.',
    'Log in again, or renew the credentials in the kubeconfig.',
  ),
  ClusterForbidden: refused(
    'Forbidden',
    'The account may not do this.',
    'Give the account that is named the right that is named.',
  ),
  ClusterExpired: again(
    'Expired',
    'The moment asked for is too long ago to be read or watched from.',
    'Nothing: the list is read again by itself.',
  ),
  ClusterTooManyRequests: again(
    'TooManyRequests',
    'The cluster asks to be left alone for a while.',
    'Nothing: the request is repeated after the time it asks for.',
  ),
  ClusterMethodNotAllowed: refused(
    'MethodNotAllowed',
    'The kind does not offer this.',
    'Use another way to change it.',
  ),
  ClusterTimeout: again(
    'Timeout',
    'The cluster did not answer in time.',
    'Nothing: the request is repeated. Look at the load of the API server if it lasts.',
  ),
  ClusterServiceUnavailable: again(
    'ServiceUnavailable',
    'The cluster cannot serve now.',
    'Nothing: the request is repeated. Look at the API server, or at the disk of the store, if it lasts.',
  ),
  ClusterInternalError: again(
    'ClusterInternalError',
    'The cluster failed by itself.',
    'Look at the log of the API server.',
  ),
  ClusterUnreachable: again(
    'Unreachable',
    'Nothing answered, or the connection was cut.',
    'Nothing: the request is repeated where that is safe. Check the address in the kubeconfig if it lasts.',
  ),
  ObjectNotOurs: refused(
    'ObjectNotOurs',
    'An object of that name is there, and Afloat, or the same phase, did not write it.',
    'Rename one of the two, or remove the one that is there if nobody needs it; Afloat never does.',
  ),
  ImmutableField: refused(
    'ImmutableField',
    'A field of an object that is there cannot be changed.',
    'Give the object another name in the package, or leave the field as it is; Afloat deletes nothing to get around it.',
  ),
  KubeconfigInvalid: refused(
    'KubeconfigInvalid',
    'A kubeconfig cannot be used.',
    'Correct the field that is named, or name another file or context.',
  ),
  CredentialsUnavailable: again(
    'CredentialsUnavailable',
    'Credentials for the cluster cannot be had.',
    'Run the command that is named by hand, or renew the token file.',
  ),

  // Embedded store
  StoreHeld: waits(
    'StoreHeld',
    'Another manager uses the folder of the store.',
    'Stop the process that is named, or use another folder.',
  ),
  StoreNewer: refused(
    'StoreNewer',
    'The folder was written by a newer version of Afloat.',
    'Use that version, or another folder.',
  ),
  StoreDamaged: refused(
    'StoreDamaged',
    'A file of the store is torn or changed.',
    'Bring the folder back from a backup; it is left as it was found.',
  ),
  StoreFull: waits(
    'StoreFull',
    'There is no room left on the disk of the store.',
    'Make room; reads go on, and so do writes when there is room.',
  ),
  StoreUnusable: refused(
    'StoreUnusable',
    'The folder of the store cannot be used.',
    'Check the path and its permissions.',
  ),

  // Containers
  IsolationUnavailable: refused(
    'IsolationUnavailable',
    'Pods cannot be kept apart in the way that is asked for.',
    'Run as root with util-linux and iproute2 installed, or ask for loopback.',
  ),
  AddressesExhausted: waits(
    'AddressesExhausted',
    'There is no address left for a Pod, or no range of addresses for the state folder.',
    'End Pods, or take down other state folders of this machine.',
  ),
  PodNetworkFailed: again(
    'PodNetworkFailed',
    'The network of Pods cannot be made or removed.',
    'Nothing: it is tried again. Read what the system said if it lasts.',
  ),
  PodNotOpen: refused('PodNotOpen', 'A container was to start in a Pod without room.', 'Open the Pod first.'),
  MountRefused: refused(
    'MountRefused',
    'A volume cannot be mounted where the manifest says.',
    'Mount it below a folder with fewer entries, or make the folder on the machine.',
  ),
  StateFolderFailed: again(
    'StateFolderFailed',
    'A file of the state folder of containers cannot be written or removed.',
    'Nothing: it is tried again. Look at the room on the disk and the permissions if it lasts.',
  ),
  StateFolderMoved: waits(
    'StateFolderMoved',
    'A state folder was copied or moved, and processes that it names still run.',
    'Take the folder down at the place that is named (move it back first if it was moved), or end the processes that are named.',
  ),
  ProcessNotStarted: again(
    'ProcessNotStarted',
    'The machine cannot start another process.',
    'Nothing: it is tried again. Look at limits on processes and memory if it lasts.',
  ),
  ProcessesLeft: again(
    'ProcessesLeft',
    'Processes do not end although they were killed.',
    'Look at the processes that are named: they may wait for a disk or a remote filesystem.',
  ),
  ContainerNotFound: refused('ContainerNotFound', 'There is no such run of a container.', 'Check its name.'),
  ContainerNotRunning: refused(
    'ContainerNotRunning',
    'A program was to run in a container that does not run.',
    'Wait until the container runs.',
  ),
  ContainerRunning: refused(
    'ContainerRunning',
    'A run that has not ended cannot be forgotten.',
    'End it first.',
  ),

  // Services of the embedded runtime
  ForwarderEnded: again(
    'ForwarderEnded',
    'The process that forwards requests to Services ends as soon as it is started.',
    'Read its log, which is named.',
  ),
  ForwarderStays: refused(
    'ForwarderStays',
    'The process that forwards requests to Services cannot be ended.',
    'End the process that is named, as the user who owns it.',
  ),

  // The world on one machine
  ServerNotStarted: waits(
    'ServerNotStarted',
    'The address at which the objects are served cannot be had.',
    'End the process that uses it, or name another port.',
  ),
  NotNow: refused(
    'NotNow',
    'What was asked for does not fit what runs now.',
    'See what runs, and what is offered: `afloat status`.',
  ),
  NotUp: waits(
    'NotUp',
    'Nothing runs on this machine for the state folder that is meant.',
    'Start it with `afloat up`, or name another state folder or a kubeconfig.',
  ),
  AlreadyUp: waits(
    'AlreadyUp',
    'Another process of Afloat runs for the same state folder.',
    'See what it does with `afloat status`, end it with `afloat down`, or name another folder with --state.',
  ),
  NotInstalled: waits(
    'NotInstalled',
    'The cluster does not know the kinds of Afloat.',
    'Put them there with `afloat install`, or name another kubeconfig or context.',
  ),
  OperatorMissing: waits(
    'OperatorMissing',
    'No operator is running in the cluster, so nothing that was written is carried out.',
    'Put one there with `afloat install`, or see why its pod does not run; what was written is carried out then.',
  ),
  OperatorAtWork: refused(
    'OperatorAtWork',
    'Another operator has the lead, and this one was told not to wait for it.',
    'Leave --leader-elect as it is, so that it stands by; or end the other one first.',
  ),
  ManagerStays: waits(
    'ManagerStays',
    'The process that runs for a state folder does not end.',
    'Look at its output; if it hangs, kill the process that is named: what it left is taken up by the next one.',
  ),

  // Databases, by the program that works on them
  DataTaskInvalid: refused(
    'InputInvalid',
    'A task on a database was not told what it must know, or something that makes no sense.',
    'Correct the environment of the task in the package.',
  ),
  DatabaseToolMissing: refused(
    'ToolMissing',
    "One of the database's own programs is not where the task runs.",
    'Give the task an image that has the server and its client programs.',
  ),
  DatabaseUnreachable: again(
    'DatabaseUnreachable',
    'The database server does not answer, or the connection broke.',
    'See whether the server runs and the address, the account and the password are right.',
  ),
  DatabaseRefused: refused(
    'DatabaseRefused',
    'The database server refused a statement.',
    'Read what it said: most often the account lacks a right.',
  ),
  DatabaseBusy: waits(
    'DatabaseBusy',
    'Somebody holds a table for longer than it is waited for.',
    'End the connection that is named, or wait until it is done.',
  ),
  DatabaseInUse: waits(
    'DatabaseInUse',
    'Somebody works in a database that shall be restored.',
    'Drain the service, or end the connections that are named.',
  ),
  DatabaseAbsent: refused(
    'DatabaseAbsent',
    'The server has no database of that name.',
    'Check the name, and which server the task talks to.',
  ),
  DatabaseUnsupported: refused(
    'DatabaseUnsupported',
    'The database holds something that cannot be backed up or restored safely.',
    'Change what is named (tables of other engines than InnoDB, for example), or bring tasks of your own for it.',
  ),
  NoRoom: waits('NoRoom', 'A disk has too little room.', 'Make room where it is named.'),
  BackupDamaged: refused(
    'BackupDamaged',
    'A backup is not what was written.',
    'Take another one, and see what happened to the disk.',
  ),
  BackupKeyWrong: refused(
    'BackupKeyWrong',
    'A backup was written with another key.',
    'Give the task the key with which it was taken.',
  ),
  BackupDiffers: refused(
    'BackupDiffers',
    'A backup was brought back, and is not what the database held.',
    'Take another one; if it happens again, bring the versions of server and client programs together.',
  ),
  LossNotAccepted: waits(
    'LossNotAccepted',
    'A restore would drop what clients wrote, and nobody consented.',
    'Read what would be lost; then go forward instead, or consent.',
  ),
  ThrowAwayServerFailed: again(
    'ThrowAwayServerFailed',
    'A database server of our own, for the proof of a backup, did not start.',
    'Read what it said: most often memory or room is short where the task runs.',
  ),

  // Command line and program
  UsageInvalid: refused(
    'InputInvalid',
    'A command was called with words it does not know.',
    'See `afloat help` and the examples there.',
  ),
  FileExists: refused(
    'InputInvalid',
    'A file that would be written is already there.',
    'Choose another folder, or move the file away.',
  ),
  FileUnwritable: refused(
    'InputInvalid',
    'A file cannot be written.',
    'Check the path, its permissions and the room on the disk.',
  ),
  Bug: {
    class: 'bug',
    reason: 'InternalError',
    means: 'Afloat itself failed.',
    advice: 'Please report it with the output of the same command with --verbose.',
  },
} as const satisfies Record<string, CatalogEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalog;
