import { bodyOf, type GoodAnswer, type KeystoneRequest, tokenIn } from './keystone-request.ts';
import type { Entry, WriteLedger, WrittenKind } from './write-ledger.ts';

/** Who the load is, as far as requests need it. */
export interface Identity {
  /** The token of the administrator. */
  token: string;
  readonly userId: string;
  readonly login: object;
  readonly ledger: WriteLedger;
  /** A name that nobody else has. */
  name(): string;
}

/** A request whose turn has come, and what its end means for the ledger. */
export interface Begun {
  readonly asked: KeystoneRequest;
  /** It was acknowledged. */
  done(answer: GoodAnswer): void;
  /** It was not: refused, or, where it is unsure, nobody knows whether it was carried out. */
  failed(isUnsure: boolean): void;
}

/** One kind of request; undefined where there is nothing yet that it could be about. */
export type Act = (identity: Identity) => Begun | undefined;

/** So many tokens, the first ones, are never revoked: they must be valid to the end, whatever is changed meanwhile. */
const elders = 8;

/** Logs in, as a client does that has a password. */
const issueToken: Act = ({ login, ledger }) => ({
  asked: {
    ...{ method: 'POST', path: '/v3/auth/tokens', content: login, status: 201 },
    isRight: answer => tokenIn(answer) !== undefined && bodyOf(answer, 'token') !== undefined,
  },
  done(answer) {
    const subject = tokenIn(answer);
    if (subject === undefined) return;
    const id = String((bodyOf(answer, 'token')?.['audit_ids'] as unknown[] | undefined)?.[0] ?? 'unknown');
    const stays = ledger.entries.filter(({ kind }) => kind === 'token').length < elders;
    ledger.add({
      ...{ kind: 'token', id, path: '/v3/auth/tokens', subject, stays, isThere: true, isUnsure: false },
    });
  },
  failed: () => {},
});

const validateToken: Act = identity => {
  const entry = identity.ledger.take('token', true);
  if (!entry) return undefined;
  const back = () => identity.ledger.giveBack(entry);
  const asked: KeystoneRequest = {
    ...{ method: 'GET', path: entry.path, headers: headersOf(identity, entry), status: 200 },
    isRight: answer =>
      (bodyOf(answer, 'token')?.['user'] as { id?: unknown } | undefined)?.id === identity.userId,
  };
  return { asked, done: back, failed: back };
};

const revokeToken: Act = identity => removal('token', identity);

/** Makes something of one kind, with a description to be changed later. */
function creation(kind: WrittenKind, folder: (identity: Identity) => string, field: string): Act {
  return identity => {
    const name = identity.name();
    const description = `made ${name}`;
    const path = folder(identity);
    return {
      asked: {
        ...{ method: 'POST', path, content: { [field]: { name, description } }, status: 201 },
        headers: headersOf(identity),
        isRight: answer => {
          const made = bodyOf(answer, field);
          return made?.['name'] === name && typeof made['id'] === 'string';
        },
      },
      done(answer) {
        const id = String(bodyOf(answer, field)?.['id']);
        identity.ledger.add({
          ...{ kind, id, path: `${path}/${id}`, isThere: true, isUnsure: false, description },
        });
      },
      failed(isUnsure) {
        if (isUnsure) identity.ledger.unsureCreations += 1;
      },
    };
  };
}

function change(kind: WrittenKind, field: string): Act {
  return identity => {
    const entry = identity.ledger.take(kind, true);
    if (!entry) return undefined;
    const description = `changed ${identity.name()}`;
    const asked: KeystoneRequest = {
      ...{ method: 'PATCH', path: entry.path, content: { [field]: { description } }, status: 200 },
      headers: headersOf(identity),
      isRight: answer => bodyOf(answer, field)?.['description'] === description,
    };
    return settling(identity, entry, asked, () => {
      entry.description = description;
    });
  };
}

function reading(kind: WrittenKind, field: string): Act {
  return identity => {
    const entry = identity.ledger.take(kind, true);
    if (!entry) return undefined;
    const back = () => identity.ledger.giveBack(entry);
    const asked: KeystoneRequest = {
      ...{ method: 'GET', path: entry.path, headers: headersOf(identity), status: 200 },
      isRight: answer => bodyOf(answer, field)?.['description'] === entry.description,
    };
    return { asked, done: back, failed: back };
  };
}

function removal(kind: WrittenKind, identity: Identity): Begun | undefined {
  const entry = identity.ledger.take(kind, true, true);
  if (!entry) return undefined;
  const headers = headersOf(identity, entry);
  const asked: KeystoneRequest = { method: 'DELETE', path: entry.path, headers, status: 204 };
  return settling(identity, entry, asked, () => {
    entry.isThere = false;
  });
}

/** Gives or takes a role: assignments come and go. */
function assignment(gives: boolean): Act {
  return identity => {
    const entry = identity.ledger.take('role assignment', !gives);
    if (!entry) return undefined;
    const method = gives ? ('PUT' as const) : ('DELETE' as const);
    const asked: KeystoneRequest = { method, path: entry.path, headers: headersOf(identity), status: 204 };
    return settling(identity, entry, asked, () => {
      entry.isThere = gives;
    });
  };
}

/** A write on something that is there: acknowledged it counts, refused it is as before and is not used again, unsure it may be either. */
function settling(identity: Identity, entry: Entry, asked: KeystoneRequest, settle: () => void): Begun {
  return {
    asked,
    done() {
      settle();
      identity.ledger.giveBack(entry);
    },
    failed(isUnsure) {
      entry.isUnsure ||= isUnsure;
    },
  };
}

/** What every request carries that is not a login. */
export function headersOf({ token }: Identity, entry?: Pick<Entry, 'subject'>): Record<string, string> {
  return {
    'x-auth-token': token,
    ...(entry?.subject === undefined ? {} : { 'x-subject-token': entry.subject }),
  };
}

const users = () => '/v3/users';
const projects = () => '/v3/projects';
const credentials = ({ userId }: Identity) => `/v3/users/${userId}/application_credentials`;
const credential = 'application_credential';

/** Every kind of request, and how often it comes in a round. */
export const acts: Readonly<Record<string, { readonly act: Act; readonly share: number }>> = {
  'token issue': { act: issueToken, share: 4 },
  'token validation': { act: validateToken, share: 6 },
  'token revocation': { act: revokeToken, share: 2 },
  'user creation': { act: creation('user', users, 'user'), share: 2 },
  'user change': { act: change('user', 'user'), share: 1 },
  'user reading': { act: reading('user', 'user'), share: 2 },
  'user removal': { act: identity => removal('user', identity), share: 1 },
  'project creation': { act: creation('project', projects, 'project'), share: 2 },
  'project change': { act: change('project', 'project'), share: 1 },
  'project removal': { act: identity => removal('project', identity), share: 1 },
  'role assignment': { act: assignment(true), share: 1 },
  'role withdrawal': { act: assignment(false), share: 1 },
  'credential creation': { act: creation('application credential', credentials, credential), share: 1 },
  'credential reading': { act: reading('application credential', credential), share: 1 },
  'credential removal': { act: identity => removal('application credential', identity), share: 1 },
};

/** The names of all kinds, each as often as its share, mixed so that a round is not one kind after the other. */
export function roundOfActs(): readonly string[] {
  const all = Object.entries(acts).flatMap(([name, { share }]) =>
    Array.from({ length: share }, (_, index) => ({ name, at: (index + 0.5) / share })),
  );
  return all.toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}
