import { ClusterError } from '../../cluster/cluster-error.ts';

/** A field of a message in protobuf: a number, or bytes. */
export type WireField =
  | { readonly number: number; readonly value: bigint }
  | { readonly number: number; readonly bytes: Buffer };

/** The fields of a message, in the order in which they were written. Throws `BadRequest` for bytes that are none. */
export function readMessage(message: Buffer): WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint => {
    for (let [value, shift] = [0n, 0n]; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw broken();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw broken();
  };
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > message.length) throw broken();
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    const wire = tag & 7;
    if (wire === 0) fields.push({ number, value: varint() });
    else if (wire === 1) fields.push({ number, bytes: take(8) });
    else if (wire === 2) fields.push({ number, bytes: take(Number(varint())) });
    else if (wire === 5) fields.push({ number, bytes: take(4) });
    else throw broken();
  }
  return fields;
}

/** The bytes of a field by its number; undefined where it is not there. The last one holds. */
export function bytesOf(fields: readonly WireField[], number: number): Buffer | undefined {
  const field = fields.findLast(one => one.number === number);
  return field && 'bytes' in field ? field.bytes : undefined;
}

/** The number of a field, which may be negative; 0 where it is not there. */
export function numberOf(fields: readonly WireField[], number: number): number {
  const field = fields.findLast(one => one.number === number);
  return field && 'value' in field ? signed(field.value) : 0;
}

/** A number as it was before it was written in 64 bits. */
export function signed(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}

export function broken(): ClusterError {
  return new ClusterError('BadRequest', 'the body of the request is no protobuf of Kubernetes');
}
