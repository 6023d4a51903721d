import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import {
  bitString,
  der,
  identifier,
  moment,
  octetString,
  sequence,
  setOf,
  tagged,
  text,
  wholeNumber,
  yes,
} from './der.ts';

/** What a certificate says. */
export interface CertificateFacts {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly from: Date;
  readonly until: Date;
  /** It signs others; else it is of a server with those names and addresses. */
  readonly use: 'authority' | { readonly names: readonly string[] };
}

/** Who signs: the very one itself, or an authority. Keys are of the curve P-256. */
export interface Issuer {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const ecdsaWithSha256 = sequence(identifier('1.2.840.10045.4.3.2'));

/** A certificate of X.509 as PEM, with a serial number that no other one has. */
export function issueCertificate(facts: CertificateFacts, issuer: Issuer): string {
  const { subject, publicKey, from, until } = facts;
  const body = sequence(
    tagged(0, wholeNumber(Buffer.from([2])), true),
    wholeNumber(serialNumber()),
    ecdsaWithSha256,
    nameOf(issuer.name),
    sequence(moment(from), moment(until)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensionsOf(facts, issuer)), true),
  );
  const signature = sign('sha256', body, issuer.privateKey);
  const lines = sequence(body, ecdsaWithSha256, bitString(signature))
    .toString('base64')
    .match(/.{1,64}/g);
  return `-----BEGIN CERTIFICATE-----\n${lines?.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Positive, and with its first byte never zero, which would not be the shortest way to write it. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function nameOf(commonName: string): Buffer {
  return sequence(setOf(sequence(identifier('2.5.4.3'), text(commonName))));
}

function extensionsOf({ publicKey, use }: CertificateFacts, issuer: Issuer): Buffer[] {
  const isAuthority = use === 'authority';
  return [
    extension('2.5.29.19', sequence(...(isAuthority ? [yes()] : [])), 'critical'),
    // Bits from the left: digital signature; for an authority, signing certificates and lists of revoked ones too.
    extension(
      '2.5.29.15',
      isAuthority ? bitString(Buffer.from([0x86]), 1) : bitString(Buffer.from([0x80]), 7),
      'critical',
    ),
    extension('2.5.29.14', octetString(keyIdentifier(publicKey))),
    extension('2.5.29.35', sequence(tagged(0, keyIdentifier(issuer.publicKey), false))),
    ...(isAuthority
      ? []
      : [
          extension('2.5.29.37', sequence(identifier('1.3.6.1.5.5.7.3.1'))),
          extension('2.5.29.17', sequence(...use.names.map(alternativeName))),
        ]),
  ];
}

function extension(id: string, value: Buffer, isCritical?: 'critical'): Buffer {
  return sequence(identifier(id), ...(isCritical ? [yes()] : []), octetString(value));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function alternativeName(name: string): Buffer {
  if (isIPv4(name)) return der(0x87, Buffer.from(name.split('.').map(Number)));
  // The only address of that kind that anything here is reached at.
  if (isIPv6(name) && name === '::1') return der(0x87, Buffer.from([...Array(15).fill(0), 1]));
  return der(0x82, Buffer.from(name));
}
