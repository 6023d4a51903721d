import type { WriteOptions } from '../../cluster.ts';
import type { Writer } from '../apply/managed-fields.ts';
import { apiVersionOf, type KindRules } from '../kinds/kind-rules.ts';
import type { Transaction } from '../store/transaction.ts';

/** What every write needs to know beside the object. */
export interface WriteContext {
  readonly transaction: Transaction;
  readonly rules: KindRules;
  readonly options: WriteOptions;
  readonly subresource: 'status' | undefined;
  readonly random: () => number;
}

/** Who writes where the call does not say. */
const defaultManager = 'afloat';

/** Whose the fields become. */
export function writerOf(context: WriteContext, operation: Writer['operation']): Writer {
  return {
    manager: context.options.fieldManager ?? defaultManager,
    operation,
    apiVersion: apiVersionOf(context.rules),
    subresource: context.subresource,
  };
}
