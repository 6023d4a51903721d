/** ASN.1 as certificates are written in: DER, only what one of ours needs. */

/** A value of any type: its tag, its length, what is in it. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

export function setOf(...parts: readonly Buffer[]): Buffer {
  return der(0x31, ...parts);
}

/** A number that is not negative, from its bytes. */
export function wholeNumber(bytes: Buffer): Buffer {
  const isHigh = ((bytes[0] ?? 0) & 0x80) !== 0;
  return der(0x02, isHigh ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function yes(): Buffer {
  return der(0x01, Buffer.from([0xff]));
}

/** Whole bytes, or bytes of which the last bits mean nothing. */
export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), bytes);
}

export function octetString(bytes: Buffer): Buffer {
  return der(0x04, bytes);
}

export function text(value: string): Buffer {
  return der(0x0c, Buffer.from(value));
}

/** What stands under a number of its own in the type around it; `isWhole` where it holds other values. */
export function tagged(number: number, content: Buffer, isWhole: boolean): Buffer {
  return der((isWhole ? 0xa0 : 0x80) | number, content);
}

/** An object identifier, as `2.5.29.17`. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

/** A moment, to the second: in two digits of a year where the standard wants that. */
export function moment(date: Date): Buffer {
  const digits = `${date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`;
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let left = number >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}
