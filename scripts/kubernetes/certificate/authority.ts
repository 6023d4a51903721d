import 'reflect-metadata'; // first: the library below refuses to load without it
import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PublicKey,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate authority for tests. */
export interface Authority {
  /** The authority's own certificate, PEM. */
  readonly certificate: string;
  issue(request: CertificateRequest): Promise<KeyPair>;
}

export interface CertificateRequest {
  /** The user, for Kubernetes. */
  readonly commonName: string;
  /** The groups, for Kubernetes. */
  readonly organizations?: readonly string[];
  readonly use: 'server' | 'client';
  /** Names and IP addresses a server is reached under. */
  readonly names?: readonly string[];
  /** From now; a negative number gives one that is no longer good. */
  readonly lifetimeSeconds?: number;
}

/** PEM texts. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

const thirtyDays = 30 * 24 * 3600;

/** A new authority with a key that lives in this process only. */
export async function makeAuthority(name: string): Promise<Authority> {
  const issuer = subjectName(name);
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ]);
  const own = await X509CertificateGenerator.createSelfSigned({
    name: issuer,
    keys,
    ...validity(thirtyDays),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(
        KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign,
        true,
      ),
    ],
  });
  return {
    certificate: pemFile(own),
    issue: async request => {
      const { publicKey, privateKey } = makeSigningKey();
      const issued = await X509CertificateGenerator.create({
        issuer,
        subject: subjectName(request.commonName, request.organizations),
        publicKey: new PublicKey(publicKey),
        signingKey: keys.privateKey,
        ...validity(request.lifetimeSeconds ?? thirtyDays),
        extensions: leafExtensions(request),
      });
      return { certificate: pemFile(issued), key: privateKey };
    },
  };
}

/** A key pair for signing, PEM: what a service account issuer needs. */
export function makeSigningKey(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

/** Always UTF-8: from a bare text the library guesses a type, and reads one that starts with # as bytes. */
function subjectName(commonName: string, organizations: readonly string[] = []): Name {
  const groups = organizations.map(group => ({ O: [{ utf8String: group }] }));
  return new Name([...groups, { CN: [{ utf8String: commonName }] }]);
}

function validity(seconds: number): { notBefore: Date; notAfter: Date } {
  const end = Date.now() + seconds * 1000;
  const start = Math.min(Date.now(), end) - 3600_000; // clocks of containers may be behind
  return { notBefore: new Date(start), notAfter: new Date(end) };
}

function leafExtensions({ use, names = [] }: CertificateRequest): Extension[] {
  const purpose = use === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth;
  const alternatives = names.map(value => ({ type: isIP(value) ? 'ip' : 'dns', value }) as const);
  return [
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([purpose]),
    ...(alternatives.length > 0 ? [new SubjectAlternativeNameExtension(alternatives)] : []),
  ];
}

/** With the line end that the library leaves out, so that files can be put one after the other. */
function pemFile(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
