/**
 * Authenticates callers by bearer token, client certificate or ServiceAccount token. Authorization only distinguishes
 * known users from the anonymous one.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { User } from '../context.ts';
import { errors, StatusError } from '../status.ts';
import type { ResourcePath } from './request-info.ts';

export const ANONYMOUS: User = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'] };

export type TokenVerifier = (token: string) => Promise<User | undefined>;

export class Authenticator {
  readonly #tokens = new Map<string, User>();
  readonly #verifiers: TokenVerifier[] = [];

  addToken(token: string, user: User): void {
    this.#tokens.set(token, user);
  }

  removeToken(token: string): void {
    this.#tokens.delete(token);
  }

  addVerifier(verifier: TokenVerifier): void {
    this.#verifiers.push(verifier);
  }

  /** A wrong credential is an error; a request without credentials is the anonymous user. */
  authenticate(request: IncomingMessage): User | Promise<User> {
    const fromCertificate = certificateUser(request.socket as TLSSocket);
    if (fromCertificate !== undefined && fromCertificate !== STRANGER) return fromCertificate;
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined) return this.verifyToken(token);
    if (fromCertificate === STRANGER) throw errors.unauthorized();
    return ANONYMOUS;
  }

  verifyToken(token: string): User | Promise<User> {
    return this.knownToken(token) ?? this.#verifySlowly(token);
  }

  /** The user of one of the fixed tokens. */
  knownToken(token: string): User | undefined {
    for (const [known, user] of this.#tokens) if (sameText(known, token)) return user;
    return undefined;
  }

  async #verifySlowly(token: string): Promise<User> {
    for (const verify of this.#verifiers) {
      const user = await verify(token);
      if (user !== undefined) return user;
    }
    throw errors.unauthorized();
  }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The user for a certificate that our authority did not sign. */
const STRANGER: User = { name: '', uid: '', groups: [] };

/** The certificate of a connection does not change, and reading it is slow. */
const certificateUsers = new WeakMap<TLSSocket, User | null>();

function certificateUser(socket: TLSSocket): User | undefined {
  const known = certificateUsers.get(socket);
  if (known !== undefined) return known ?? undefined;
  const user = readCertificate(socket);
  certificateUsers.set(socket, user ?? null);
  return user;
}

function readCertificate(socket: TLSSocket): User | undefined {
  const { subject } = socket.getPeerCertificate();
  if (!socket.authorized) return subject === undefined ? undefined : STRANGER;
  if (typeof subject?.CN !== 'string') return undefined;
  const organizations = subject.O;
  return { name: subject.CN, uid: '', groups: [...[organizations ?? []].flat(), 'system:authenticated'] };
}

/** Paths that kube-apiserver serves to anonymous users. */
const PUBLIC = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);

/** The verb as authorization names it. For a path that is no resource it is the HTTP method. */
function verbOf(method: string, target: ResourcePath | undefined): string {
  const collection = target !== undefined && target.name === '';
  if (method === 'GET') return collection ? 'list' : 'get';
  if (method === 'DELETE' && collection) return 'deletecollection';
  const verbs: Readonly<Record<string, string>> = target === undefined ? {} : { POST: 'create', PUT: 'update' };
  return verbs[method] ?? method.toLowerCase();
}

export function refuseAnonymous(user: User, method: string, path: string, target: ResourcePath | undefined): void {
  if (user !== ANONYMOUS || PUBLIC.has(path)) return;
  const verb = verbOf(method, target);
  if (target === undefined)
    throw new StatusError(403, 'Forbidden', `forbidden: User "${user.name}" cannot ${verb} path "${path}"`, {});
  const where = target.namespace === '' ? 'at the cluster scope' : `in the namespace "${target.namespace}"`;
  const of = { group: target.group, resource: target.resource };
  const text = `User "${user.name}" cannot ${verb} resource "${target.resource}" in API group "${target.group}" ${where}`;
  if (target.name !== '') throw errors.forbidden(of, target.name, text);
  const name = target.group === '' ? target.resource : `${target.resource}.${target.group}`;
  throw new StatusError(403, 'Forbidden', `${name} is forbidden: ${text}`, {
    ...(target.group === '' ? {} : { group: target.group }),
    kind: target.resource,
  });
}
