import { CodedError } from '../../../base/coded-error.ts';

/** There is no room for a write. Nothing of it was written; reads go on, and so do writes when there is room again. */
export function storeFull(folder: string, cause: unknown): CodedError {
  return new CodedError(
    'StoreFull',
    `there is no room left for the store in ${folder}; nothing was written`,
    {
      cause,
      details: { folder },
    },
  );
}

/** The disk refused a write for another reason. */
export function storeUnwritable(folder: string, cause: unknown): CodedError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodedError('StoreUnusable', `the store in ${folder} cannot be written: ${why}`, {
    cause,
    details: { folder },
  });
}
