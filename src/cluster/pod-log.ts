/** Whose output is asked for. Without the name of a container: that of the only one. */
export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string;
}

/** Which part of the output, and how. */
export interface LogQuery {
  /** Only so many lines from the end. */
  readonly tailLines?: number;
  /** Only what was written since then. */
  readonly since?: Date;
  /** With the time before each line. */
  readonly timestamps?: boolean;
  /** Goes on with what is written, until the container has ended or the signal says stop. */
  readonly follow?: boolean;
  /** Of the run before the one that is now. */
  readonly previous?: boolean;
  readonly signal?: AbortSignal;
}

/** Gives out what a container wrote, as bytes. Throws `ClusterError`s in the words of an API server. */
export type ReadPodLog = (of: LogSource, query?: LogQuery) => AsyncIterable<Buffer>;
