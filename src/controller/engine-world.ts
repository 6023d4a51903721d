import type { Finding } from '../api/finding.ts';
import type { Clock } from '../cluster/clock.ts';
import type { Cluster, ObjectType } from '../cluster/cluster.ts';
import type { DataDriver } from '../data/data.ts';
import type { Drivers } from '../driver/driver.ts';
import type { PackageSource } from '../package/source.ts';
import type { Answers, PartBundle } from '../phase/phase-run.ts';
import type { Machine } from '../plan/check-machine.ts';
import type { Informer } from '../reconcile/informer.ts';
import type { Reconciling } from '../reconcile/reconcile.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { Manifests } from './flow/flow-sides.ts';

/** What the controllers act through: handed in by whoever runs them. */
export interface EnginePorts {
  /** Drivers that write through this cluster. */
  readonly drivers: (cluster: Cluster) => Drivers;
  readonly traffic: (cluster: Cluster) => Traffic;
  readonly data: (driver: string) => DataDriver | undefined;
  /** Where the packages of a namespace are read from. */
  readonly packages: (namespace: string) => PackageSource;
  /** Makes the images of a part known where there is no container engine. */
  readonly prepareImages: (namespace: string, part: PartBundle) => Promise<readonly Finding[]>;
  readonly warmUp: (url: string) => Promise<boolean>;
  readonly answers: Answers;
  /** The machine everything runs on, where that is one without a container engine. */
  readonly machine?: Machine;
  /** The routers that packages may name, as `--routers` says; all where it is left out. */
  readonly routers?: readonly string[];
}

/** What all controllers of one manager share. */
export interface EngineWorld extends EnginePorts {
  readonly cluster: Cluster;
  readonly reconciling: Reconciling;
  readonly clock: Clock;
  /** The number of this manager. */
  readonly epoch: number;
  /** The namespace in which managers keep their number. */
  readonly home: string;
  /** Whether changes of Secrets are told, or must be looked for. */
  readonly followsSecrets: boolean;
  /** Whether it is asked, before a plan is made, what the account of a record may not do. Only where accounts have rights of their own. */
  readonly checksRights: boolean;
  /** Kinds of packages whose changes are told, beside those of Kubernetes. */
  readonly follows: readonly ObjectType[];
  readonly manifests: Manifests;
  readonly records: Informer;
  readonly plans: Informer;
  readonly flows: Informer;
  readonly revisions: Informer;
  /** One for each phase kind. */
  readonly phases: readonly Informer[];
}
