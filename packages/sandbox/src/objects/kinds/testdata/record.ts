/**
 * Plays the cases on a real kube-apiserver that runs without mutating admission plug-ins (ServiceAccount,
 * DefaultTolerationSeconds, Priority, LimitRanger, TaintNodesByCondition, StorageObjectInUseProtection, ResourceQuota,
 * DefaultStorageClass, PersistentVolumeClaimResize) and with --allow-privileged, and writes its answers to
 * `observed.json`.
 * Run: `APISERVER=https://127.0.0.1:6443 TOKEN=… NODE_TLS_REJECT_UNAUTHORIZED=0 node record.ts`
 */
import { writeFileSync } from 'node:fs';
import type { JsonObject } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';
import { builtinResources } from '../builtin.ts';
import { cases } from './cases.ts';
import type { Case } from './cases.ts';
import type { Answer, Observed } from './observed.ts';
import { caseName } from './observed.ts';

const server = process.env['APISERVER'] ?? 'https://127.0.0.1:6443';
const token = process.env['TOKEN'] ?? '';

interface Response {
  readonly body: JsonObject;
  readonly warnings: string[];
}

async function call(method: string, path: string, type: string, body?: JsonObject): Promise<Response> {
  const response = await fetch(`${server}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const header = response.headers.get('warning') ?? '';
  const warnings = [...header.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(
    ([, quoted]) => JSON.parse(quoted ?? '') as string,
  );
  return { body: (await response.json()) as JsonObject, warnings };
}

function answer({ body, warnings }: Response): Answer {
  if (body['kind'] === 'Status') return { error: String(body['message']) };
  const { metadata } = body;
  if (isObject(metadata)) {
    for (const key of ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']) delete metadata[key];
  }
  return { object: body, ...(warnings.length === 0 ? {} : { warnings }) };
}

async function play(item: Case, index: number): Promise<Observed> {
  const [group = '', plural = ''] = item.on.split('/');
  const resource = builtinResources.find((entry) => entry.group === group && entry.name === plural);
  if (resource === undefined) throw new Error(`no resource ${item.on}`);
  const apiVersion = group === '' ? resource.version : `${group}/${resource.version}`;
  const base = `/${group === '' ? 'api' : 'apis'}/${apiVersion}${resource.namespaced ? '/namespaces/default' : ''}/${plural}`;
  const name = caseName(item, index);
  const metadata = { name, ...(isObject(item.create['metadata']) ? item.create['metadata'] : {}) };
  const body = { apiVersion, kind: resource.kind, ...item.create, metadata };
  const path = `${base}/${name}`;
  const created = answer(await call('POST', base, 'application/json', body));
  const merge = 'application/merge-patch+json';
  const observed: Observed = { created };
  if (item.patch !== undefined) observed.patched = answer(await call('PATCH', path, merge, item.patch));
  if (item.status !== undefined) observed.status = answer(await call('PATCH', `${path}/status`, merge, item.status));
  await call('DELETE', `${path}?gracePeriodSeconds=0&propagationPolicy=Background`, 'application/json');
  // The server runs without controllers, so nothing else finalizes namespaces.
  if (plural === 'namespaces') await call('PUT', `${path}/finalize`, 'application/json', { ...body, spec: {} });
  return observed;
}

const observed: Observed[] = [];
for (const [index, item] of cases.entries()) observed.push(await play(item, index));
const lines = observed.map((item) => JSON.stringify(item)).join(',\n');
writeFileSync(new URL('observed.json', import.meta.url), `[\n${lines}\n]\n`);
