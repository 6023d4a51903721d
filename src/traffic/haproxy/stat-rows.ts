/** One line of `show stat`, as far as it is read. */
export interface StatRow {
  readonly proxy: string;
  /** `FRONTEND`, `BACKEND`, or the name of a server. */
  readonly name: string;
  /** `UP`, `DOWN`, `MAINT`, `DRAIN`, `no check` and the like. */
  readonly status: string;
  readonly weight: number;
  /** `address:port` of a server. */
  readonly address: string;
  /** Requests that go on, those that wait for the server included. */
  readonly inFlight: number;
  readonly requests: number;
  readonly errors: number;
}

/** Reads what `show stat` says. Columns are found by their names: every version of HAProxy has more of them. */
export function readStat(text: string): readonly StatRow[] {
  const [head = '', ...lines] = text.split('\n').filter(line => line.trim() !== '');
  const columns = head.replace(/^# /, '').split(',');
  return lines.map(line => {
    const cells = line.split(',');
    const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
    const count = (column: string) => Number(cell(column)) || 0;
    return {
      proxy: cell('pxname'),
      name: cell('svname'),
      status: cell('status'),
      weight: count('weight'),
      address: cell('addr'),
      inFlight: count('scur') + count('qcur'),
      requests: count('stot'),
      // A connection that could not be made, an answer that broke off, and one that says the server is not well.
      errors: count('econ') + count('eresp') + count('hrsp_5xx'),
    };
  });
}

/** Whether a row is a server, and not the sum of some. */
export function isServer({ name }: StatRow): boolean {
  return name !== 'FRONTEND' && name !== 'BACKEND';
}

/** Whether a server would take a request if it had a weight. */
export function takesRequests({ status }: StatRow): boolean {
  return /^(UP|DRAIN|no check)/.test(status);
}
