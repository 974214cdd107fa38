/**
 * An extension server trusts only the API server: it presents a certificate of the authority in
 * kube-system/extension-apiserver-authentication, and names its client in headers.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Client } from '@ssvirt/kube/client/client';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { Json } from '../../values/json.ts';
import { NotReadyError } from '../until.ts';
import { StatusAnswer, type Caller } from './contracts.ts';

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const configMaps: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

export interface Trust {
  /** PEM. */
  readonly authority: string;
  /** Allowed common names of the front proxy; if empty, any name of the authority. */
  readonly names: readonly string[];
  readonly userHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

export async function readTrust(client: Client): Promise<Trust> {
  const key = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };
  const trust = trustOf((await client.get(configMaps, key)).data ?? {});
  if (trust.authority === '')
    throw new NotReadyError(
      'cannot serve aggregated APIs: the API server has no front proxy (requestheader-client-ca-file is missing in ' +
        'the ConfigMap kube-system/extension-apiserver-authentication)',
    );
  return trust;
}

export function trustOf(data: Readonly<Record<string, string>>): Trust {
  const list = (name: string, otherwise: readonly string[]): readonly string[] => {
    const values = parseList(data[`requestheader-${name}`]);
    return (values.length > 0 ? values : otherwise).map((value) => value.toLowerCase());
  };
  return {
    authority: data['requestheader-client-ca-file'] ?? '',
    names: parseList(data['requestheader-allowed-names']),
    userHeaders: list('username-headers', ['x-remote-user']),
    uidHeaders: list('uid-headers', ['x-remote-uid']),
    groupHeaders: list('group-headers', ['x-remote-group']),
    extraPrefixes: list('extra-headers-prefix', ['x-remote-extra-']),
  };
}

function parseList(text: string | undefined): readonly string[] {
  try {
    const value = JSON.parse(text ?? '[]') as Json;
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** `callerOf` throws a Status of 401 for a client that is not the front proxy. */
export function callerOf(request: IncomingMessage, trust: Trust): Caller {
  const caller = isFrontProxy(request.socket as TLSSocket, trust)
    ? callerIn(request.headersDistinct, trust)
    : undefined;
  if (caller === undefined) throw new StatusAnswer(401, 'Unauthorized', 'Unauthorized');
  return caller;
}

/** The certificate of a connection does not change, and reading it is slow. */
const judged = new WeakMap<TLSSocket, { readonly trust: Trust; readonly verdict: boolean }>();

function isFrontProxy(socket: TLSSocket, trust: Trust): boolean {
  const known = judged.get(socket);
  if (known?.trust === trust) return known.verdict;
  const name = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
  const verdict = typeof name === 'string' && (trust.names.length === 0 || trust.names.includes(name));
  judged.set(socket, { trust, verdict });
  return verdict;
}

/** Undefined if the headers name no user. */
export function callerIn(headers: NodeJS.Dict<string[]> | IncomingHttpHeaders, trust: Trust): Caller | undefined {
  const values = (name: string): readonly string[] => [headers[name] ?? []].flat();
  const username = trust.userHeaders.flatMap(values).find((value) => value !== '');
  if (username === undefined) return undefined;
  const extra: Record<string, readonly string[]> = {};
  for (const name of Object.keys(headers)) {
    const prefix = trust.extraPrefixes.find((start) => name.startsWith(start));
    if (prefix !== undefined) extra[unescaped(name.slice(prefix.length))] = values(name);
  }
  const uid = trust.uidHeaders.flatMap(values).find((value) => value !== '');
  return { username, ...(uid === undefined ? {} : { uid }), groups: trust.groupHeaders.flatMap(values), extra };
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
