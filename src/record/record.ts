/**
 * Record: YAML in, resolved record out.
 *
 * In: the text of one or more files. Out: `ResolvedRecord`, or findings that say where each thing is wrong.
 * Never: looks at packages, at a cluster or at the clock.
 */
import type { RecordService, RecordSpec, Source } from '../api/openstack-deployment.ts';
import type { Digest } from '../base/digest.ts';

/** A record that passed every check that needs nothing but the record: defaults filled in, sources resolved. */
export interface ResolvedRecord {
  /** Name of the cloud. */
  readonly name: string;
  readonly namespace: string;
  /** Generation of the record object; 0 where it comes from a file. */
  readonly generation: number;
  /** Digest over the spec, with its defaults. The order of keys does not matter. */
  readonly digest: Digest;
  readonly spec: RecordSpec;
  /** The services by name, in name order, so that the order in which they were written changes nothing. */
  readonly services: readonly ResolvedService[];
  /** The file it came from, for messages. */
  readonly file: string | undefined;
  /** Line and column of a field of the record, for findings of later stages. */
  readonly locate: (path: readonly (string | number)[]) => { line: number; column: number } | undefined;
}

/** A service of the record with everything that the record as a whole says of it. */
export interface ResolvedService extends RecordService {
  /** Place of the service in `spec.services`, for findings of later stages. */
  readonly index: number;
  /** Where the packages of this service come from; `location` still has its placeholders. */
  readonly source: Source;
}
