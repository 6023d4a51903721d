import type { Metadata } from '../../cluster.ts';

/** The part of the metadata that is the caller's to write. */
export type UserMetadata = Pick<Metadata, 'labels' | 'annotations' | 'finalizers' | 'ownerReferences'>;

/** That part alone, without maps and lists that are empty: a server does not keep those. */
export function userMetadata({ labels, annotations, finalizers, ownerReferences }: Metadata): UserMetadata {
  return {
    ...(isEmpty(labels) ? {} : { labels }),
    ...(isEmpty(annotations) ? {} : { annotations }),
    ...(isEmpty(finalizers) ? {} : { finalizers }),
    ...(isEmpty(ownerReferences) ? {} : { ownerReferences }),
  } as UserMetadata;
}

function isEmpty(value: object | undefined): boolean {
  if (value === undefined) return true;
  for (const _ in value) return false;
  return true;
}
