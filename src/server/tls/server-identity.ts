import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isObject } from '../../base/json.ts';
import { writePrivateFile } from '../private-file.ts';
import { type Issuer, issueCertificate } from './issue-certificate.ts';

/** What a server on loopback shows, and by what its clients know it. PEM texts. */
export interface ServerIdentity {
  /** For `certificate-authority-data` of a kubeconfig. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** The identity as it is kept, with what makes the next certificate. */
interface KeptIdentity extends ServerIdentity {
  readonly authorityKey: string;
}

const day = 24 * 3600 * 1000;
/** Clients go on with the authority that they know: it outlives many certificates. */
const authorityDays = 3650;
const certificateDays = 365;
/** Renewed when so little is left. */
const renewDays = 90;
/** Clocks of machines that were asleep are sometimes behind. */
const behindDays = 1;

const names = ['127.0.0.1', '::1', 'localhost'] as const;

/**
 * The identity that is kept in a file, made where there is none or none that can be used, and renewed where it ends soon; the authority
 * stays the same as long as it can. Throws `FileUnwritable` where a new one cannot be kept.
 */
export async function serverIdentity(file: string, now: number = Date.now()): Promise<ServerIdentity> {
  const kept = await readKept(file);
  if (kept && isGood(kept.certificate, now) && isGood(kept.authority, now)) return kept;
  const isAuthorityGood = kept && isGood(kept.authority, now, certificateDays);
  const authority = isAuthorityGood ? kept : makeAuthority(now);
  const made = { ...authority, ...makeCertificate(authority, now) };
  await writePrivateFile(file, `${JSON.stringify(made, undefined, 2)}\n`);
  return made;
}

type AuthorityPair = Pick<KeptIdentity, 'authority' | 'authorityKey'>;

/** Undefined where there is none, or where what is there does not fit together. */
async function readKept(file: string): Promise<KeptIdentity | undefined> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isObject(kept)) return undefined;
    const { authority, authorityKey, certificate, key } = kept as unknown as KeptIdentity;
    const [top, own] = [new X509Certificate(authority), new X509Certificate(certificate)];
    const isWhole =
      top.checkPrivateKey(createPrivateKey(authorityKey)) &&
      own.checkPrivateKey(createPrivateKey(key)) &&
      own.verify(top.publicKey);
    return isWhole ? { authority, authorityKey, certificate, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Begun, and for some days more not ended. */
function isGood(certificate: string, now: number, days: number = renewDays): boolean {
  const { validFrom, validTo } = new X509Certificate(certificate);
  return Date.parse(validFrom) <= now && Date.parse(validTo) - now >= days * day;
}

function makeAuthority(now: number): AuthorityPair {
  const { publicKey, privateKey } = newKeys();
  // Two authorities are told apart by name too: some clients look for the signer by it.
  const issuer = { name: `afloat ${new Date(now).toISOString()}`, publicKey, privateKey };
  const authority = issueCertificate(
    { subject: issuer.name, publicKey, ...validity(now, authorityDays), use: 'authority' },
    issuer,
  );
  return { authority, authorityKey: pemOf(privateKey) };
}

function makeCertificate({ authority, authorityKey }: AuthorityPair, now: number) {
  const top = new X509Certificate(authority);
  const issuer: Issuer = {
    name: top.subject.replace(/^CN=/, ''),
    publicKey: top.publicKey,
    privateKey: createPrivateKey(authorityKey),
  };
  const { publicKey, privateKey } = newKeys();
  const certificate = issueCertificate(
    { subject: 'afloat', publicKey, ...validity(now, certificateDays), use: { names } },
    issuer,
  );
  return { certificate, key: pemOf(privateKey) };
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function validity(now: number, days: number) {
  return { from: new Date(now - behindDays * day), until: new Date(now + days * day) };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
