/** The user of a ServiceAccount token, while everything that the token is bound to still exists. */
import { timingSafeEqual } from 'node:crypto';
import type { User } from './api/context.ts';
import type { JsonObject, KubeObject } from '../values/json.ts';
import { numberAt, objectAt, textAt, textMapAt } from '../objects/kinds/values/fields.ts';
import { parseEntry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';

/** Why a token is not valid, in Kubernetes' words. */
export class TokenRefused extends Error {}

/** Allowed clock skew in seconds; a token also outlives its expiry by this. */
const LEEWAY = 60;
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const INVALIDATED = 'service account token has been invalidated';

export function boundUser(store: Store, claims: JsonObject): User {
  checkTimes(claims);
  const own = objectAt(claims, 'kubernetes.io');
  const namespace = textAt(own, 'namespace');
  const account = objectAt(own, 'serviceaccount');
  checkAccount(store, namespace, account);
  const pod = objectAt(own, 'pod');
  const secret = objectAt(own, 'secret');
  const node = objectAt(own, 'node');
  if (secret !== undefined) checkBound(store, '/secrets', namespace, secret, 'secret');
  if (pod !== undefined) checkBound(store, '/pods', namespace, pod, 'pod');
  else if (node !== undefined) checkBound(store, '/nodes', '', node, 'node');
  return { ...accountUser(namespace, account), extra: extra(claims, node, pod) };
}

export interface LegacyUse {
  readonly user: User;
  readonly namespace: string;
  readonly secret: string;
}

export function legacyUser(store: Store, claims: JsonObject, token: string): LegacyUse {
  const claim = (name: string): string => textAt(claims, `kubernetes.io/serviceaccount/${name}`);
  const namespace = claim('namespace');
  const name = claim('secret.name');
  const account = { name: claim('service-account.name'), uid: claim('service-account.uid') };
  const secret = find(store, '/secrets', namespace, name);
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined)
    throw new TokenRefused('Token has been invalidated');
  if (!sameToken(secret, token)) throw new TokenRefused("Token does not match server's copy");
  checkLegacyAccount(store, namespace, account);
  if (textMapAt(secret.metadata, 'labels')[INVALID_SINCE] !== undefined)
    throw markedInvalid(namespace, name, account.name);
  return { user: accountUser(namespace, account), namespace, secret: name };
}

function checkTimes(claims: JsonObject): void {
  const now = Date.now() / 1000;
  if (now - LEEWAY > numberAt(claims, 'exp')) throw new TokenRefused('service account token has expired');
  if (now + LEEWAY < numberAt(claims, 'nbf')) throw new TokenRefused('service account token is not valid yet');
  if (now + LEEWAY < numberAt(claims, 'iat')) throw new TokenRefused('service account token is issued in the future');
}

function checkAccount(store: Store, namespace: string, claim: JsonObject | undefined): void {
  const name = textAt(claim, 'name');
  const account = find(store, '/serviceaccounts', namespace, name);
  if (account === undefined) throw new TokenRefused(`serviceaccounts ${JSON.stringify(name)} not found`);
  const uid = textAt(claim, 'uid');
  if (account.metadata.uid !== uid)
    throw new TokenRefused(`service account UID (${account.metadata.uid ?? ''}) does not match claim (${uid})`);
  if (isLongGone(account)) throw new TokenRefused(`service account ${namespace}/${name} has been deleted`);
}

function checkLegacyAccount(store: Store, namespace: string, { name, uid }: { name: string; uid: string }): void {
  const account = find(store, '/serviceaccounts', namespace, name);
  if (account === undefined) throw new TokenRefused(`serviceaccounts ${JSON.stringify(name)} not found`);
  if (account.metadata.deletionTimestamp !== undefined)
    throw new TokenRefused(`ServiceAccount ${namespace}/${name} has been deleted`);
  if (account.metadata.uid !== uid)
    throw new TokenRefused(`ServiceAccount UID (${account.metadata.uid ?? ''}) does not match claim (${uid})`);
}

function checkBound(store: Store, table: string, namespace: string, claim: JsonObject, kind: string): void {
  const object = find(store, table, namespace, textAt(claim, 'name'));
  if (object === undefined) throw new TokenRefused(INVALIDATED);
  const uid = textAt(claim, 'uid');
  if (object.metadata.uid !== uid) {
    throw new TokenRefused(
      `${kind} UID (${object.metadata.uid ?? ''}) does not match service account ${kind} ref claim (${uid})`,
    );
  }
  if (isLongGone(object)) throw new TokenRefused(INVALIDATED);
}

function isLongGone({ metadata }: KubeObject): boolean {
  return (
    metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) < Date.now() - LEEWAY * 1000
  );
}

function find(store: Store, table: string, namespace: string, name: string): KubeObject | undefined {
  const entry = store.table(table).get(namespace === '' ? name : `${namespace}/${name}`);
  return entry === undefined ? undefined : parseEntry(entry);
}

function sameToken(secret: KubeObject, token: string): boolean {
  const kept = Buffer.from(textAt(objectAt(secret, 'data'), 'token'), 'base64');
  const given = Buffer.from(token);
  return kept.length === given.length && timingSafeEqual(kept, given);
}

function markedInvalid(namespace: string, secret: string, account: string): TokenRefused {
  return new TokenRefused(
    `the token in secret ${namespace}/${secret} for service account ${namespace}/${account} has been marked invalid. ` +
      'Use tokens from the TokenRequest API or manually created secret-based tokens, ' +
      `or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`,
  );
}

function accountUser(namespace: string, account: JsonObject | undefined): User {
  return {
    name: `system:serviceaccount:${namespace}:${textAt(account, 'name')}`,
    uid: textAt(account, 'uid'),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

function extra(
  claims: JsonObject,
  node: JsonObject | undefined,
  pod: JsonObject | undefined,
): Record<string, readonly string[]> {
  const facts: readonly (readonly [string, string])[] = [
    ['credential-id', textAt(claims, 'jti') === '' ? '' : `JTI=${textAt(claims, 'jti')}`],
    ['node-name', textAt(node, 'name')],
    ['node-uid', textAt(node, 'uid')],
    ['pod-name', textAt(pod, 'name')],
    ['pod-uid', textAt(pod, 'uid')],
  ];
  return Object.fromEntries(
    facts.filter(([, value]) => value !== '').map(([key, value]) => [`authentication.kubernetes.io/${key}`, [value]]),
  );
}
