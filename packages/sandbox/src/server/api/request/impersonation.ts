/**
 * Impersonation (`kubectl --as`): every authenticated user may impersonate, because every authenticated user may do
 * everything.
 */
import type { IncomingMessage } from 'node:http';
import { ANONYMOUS } from './auth.ts';
import type { User } from '../context.ts';
import { errors } from '../status.ts';

const EXTRA = 'impersonate-extra-';
const SERVICE_ACCOUNT = /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]*[a-z0-9])?):([a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)$/;
const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';

type Asked = Pick<Required<User>, 'name' | 'uid' | 'groups' | 'extra'>;

/** `impersonated` returns the user that the request's headers name, or the authenticated user. */
export function impersonated(user: User, request: IncomingMessage): User {
  const asked = readHeaders(request);
  if (asked === undefined) return user;
  if (asked.name === '') throw errors.badRequest(`requested [${references(asked)}] without impersonating a user`);
  if (user === ANONYMOUS) {
    const why = `User "${user.name}" cannot impersonate resource "users" in API group "" at the cluster scope`;
    throw errors.forbidden({ group: '', resource: 'users' }, asked.name, why);
  }
  if (asked.name === ANONYMOUS.name) return ANONYMOUS;
  const { name, uid, extra } = asked;
  return { name, uid, groups: groupsOf(asked), ...(Object.keys(extra).length === 0 ? {} : { extra }) };
}

function readHeaders(request: IncomingMessage): Asked | undefined {
  const names = Object.keys(request.headers).filter((name) => name.startsWith('impersonate-'));
  // The usual case; it avoids computing `headersDistinct`.
  if (names.length === 0) return undefined;
  const { headersDistinct } = request;
  const values = (name: string): string[] => headersDistinct[name] ?? [];
  const extra = names
    .filter((name) => name.startsWith(EXTRA))
    .map((name) => [unescaped(name.slice(EXTRA.length)), values(name)] as const);
  const asked: Asked = {
    name: values('impersonate-user')[0] ?? '',
    uid: values('impersonate-uid')[0] ?? '',
    groups: values('impersonate-group'),
    extra: Object.fromEntries(extra),
  };
  return asked.name === '' && asked.uid === '' && asked.groups.length === 0 && extra.length === 0 ? undefined : asked;
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The groups of a service account follow from its name; those of other users are the ones in the headers. */
function groupsOf({ name, groups }: Asked): string[] {
  const namespace = SERVICE_ACCOUNT.exec(name)?.[1];
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const given = groups.length > 0 ? [...groups] : own;
  return given.includes(AUTHENTICATED) || given.includes(UNAUTHENTICATED) ? given : [...given, AUTHENTICATED];
}

/** The list of requested attributes as Go prints it. */
function references({ groups, extra, uid }: Asked): string {
  const version = 'authentication.k8s.io/v1';
  return [
    ...groups.map((group) => `{Group  ${group}    }`),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => `{UserExtra  ${value}  ${version}  ${key}}`),
    ),
    ...(uid === '' ? [] : [`{UID  ${uid}  ${version}  }`]),
  ].join(' ');
}
