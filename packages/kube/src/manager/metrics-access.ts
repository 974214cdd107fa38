/**
 * Authorizes readers of the metrics by the cluster: TokenReview for the bearer token, SubjectAccessReview for the right
 * to `get` the path. A scraper needs only a ClusterRole with `nonResourceURLs: [/metrics]`. This process needs `create`
 * on both reviews (system:auth-delegator).
 */
import { createHash } from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import type { HttpAnswer } from './endpoint.ts';

/** `Access` resolves to undefined when the request may proceed, otherwise to the answer. */
export type Access = (path: string, authorization: string | undefined) => Promise<HttpAnswer | undefined>;

interface Reviewed {
  readonly answer: HttpAnswer | undefined;
  readonly until: number;
}

interface ReviewedUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

const allowedMs = 60_000;
/** Shorter, so that a newly granted right takes effect soon. */
const refusedMs = 10_000;
/** A limit, so that a client with many tokens cannot fill the memory. */
const maxRemembered = 1000;
const reviewTimeoutMs = 5000;

const unauthorized: HttpAnswer = { code: 401, text: 'unauthorized\n', headers: { 'www-authenticate': 'Bearer' } };
const forbidden: HttpAnswer = { code: 403, text: 'forbidden\n' };

export function createMetricsAccess(client: Client, clock: Clock): Access {
  const remembered = new BoundedMap<string, Reviewed>(maxRemembered);
  return async (path, authorization) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return unauthorized;
    const key = `${createHash('sha256').update(token).digest('base64')} ${path}`;
    const known = remembered.get(key);
    if (known !== undefined && clock.now() < known.until) return known.answer;
    const answer = await review(client, token, path);
    remembered.set(key, { answer, until: clock.now() + (answer === undefined ? allowedMs : refusedMs) });
    return answer;
  };
}

async function review(client: Client, token: string, path: string): Promise<HttpAnswer | undefined> {
  const user = await whose(client, token);
  if (user === undefined) return unauthorized;
  const { username, uid, groups, extra } = user;
  const status = await post(client, 'authorization.k8s.io', 'SubjectAccessReview', 'subjectaccessreviews', {
    user: username,
    uid,
    groups,
    extra,
    nonResourceAttributes: { path, verb: 'get' },
  });
  return status['allowed'] === true && status['denied'] !== true ? undefined : forbidden;
}

async function whose(client: Client, token: string): Promise<ReviewedUser | undefined> {
  const status = await post(client, 'authentication.k8s.io', 'TokenReview', 'tokenreviews', { token });
  return status['authenticated'] === true ? (status['user'] as ReviewedUser) : undefined;
}

async function post(
  client: Client,
  group: string,
  kind: string,
  plural: string,
  spec: object,
): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await client.request({
    method: 'POST',
    path: `/apis/${group}/v1/${plural}`,
    body: { apiVersion: `${group}/v1`, kind, spec },
    timeoutMs: reviewTimeoutMs,
  });
  return (body as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
}
