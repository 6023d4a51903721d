import type { Place } from '../api/finding.ts';
import { formatPath } from '../api/finding.ts';
import type { ResolvedRecord, ResolvedService } from '../record/record.ts';

/** Where in the record a finding about a service is. */
export function placeOf(
  record: ResolvedRecord,
  service: ResolvedService | undefined,
  ...below: (string | number)[]
): Place {
  const path = service ? ['spec', 'services', service.index, ...below] : ['spec'];
  return {
    ...(record.file === undefined ? {} : { file: record.file }),
    ...record.locate(path),
    field: formatPath(path),
  };
}
