/**
 * Sends the same random requests to the sandbox and to a real control plane, and shows where their answers differ:
 *   bin/node test/fuzz/compare.ts [SEED [PARTS [REQUESTS]]]
 * A tool for people who improve the sandbox. The differing requests are input that no client sends, so no test depends
 * on it.
 */
import { Agent } from 'node:https';
import fc from 'fast-check';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { startRealCluster } from '../cluster/real.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { gadgetDefinition, groundOf, type Harness } from './harness.ts';
import { kindsOf } from './kinds.ts';
import { describeRequest, send, type Answer, type FuzzRequest, type Wire } from './request.ts';
import { requestOver } from './requests.ts';

interface Difference {
  count: number;
  readonly example: string;
}

const [seed = 1, parts = 2, requests = 500] = process.argv.slice(2).map(Number);
const clusters = await Promise.all([startSandbox(), startRealCluster()]);
try {
  await compare(clusters.map(wireOf) as [Wire, Wire]);
} finally {
  await Promise.all(clusters.map((cluster) => cluster.stop()));
}

function wireOf({ url, ca, token }: Cluster): Wire {
  return { url: new URL(url), ca, token, agent: new Agent({ keepAlive: true }) };
}

async function compare([sandbox, real]: readonly [Wire, Wire]): Promise<void> {
  const differences = new Map<string, Difference>();
  let same = 0;
  let all = 0;
  for (let part = 0; part < parts; part++) {
    const harness = groundOf(part);
    for (const wire of [sandbox, real]) await prepare(wire, harness);
    for (const request of fc.sample(requestOver(harness), { seed: seed + part * 7919, numRuns: requests })) {
      if (request.manner !== 'whole' || request.method === 'HEAD') continue;
      const [mine, theirs] = await Promise.all([sandbox, real].map((wire) => answer(wire, request)));
      all++;
      if (mine === theirs) same++;
      else note(differences, request, mine ?? '', theirs ?? '');
    }
  }
  for (const { count, example } of [...differences.values()].toSorted((a, b) => b.count - a.count))
    console.log(`${count}× ${example}\n`);
  console.log(`${same} of ${all} answers are the same`);
  for (const { agent } of [sandbox, real]) agent.destroy();
}

function note(differences: Map<string, Difference>, request: FuzzRequest, mine: string, theirs: string): void {
  const key = [mine, theirs].map((text) => text.replaceAll(/"[^"]*"/g, '""').slice(0, 60)).join('|');
  const known = differences.get(key);
  if (known !== undefined) known.count++;
  else
    differences.set(key, {
      count: 1,
      example: `sandbox: ${mine}\n    real: ${theirs}\n    ${describeRequest(request)}`,
    });
}

/** The code, and the message of an error, without the parts that differ in every run. */
async function answer(wire: Wire, request: FuzzRequest): Promise<string> {
  const got = await send(wire, request).catch((error: unknown) => String(error));
  if (typeof got !== 'object') return got ?? 'no answer';
  return got.code < 400 ? String(got.code) : `${got.code} ${normalised(messageOf(got)).slice(0, 1000)}`;
}

function messageOf({ body }: Answer): string {
  try {
    return String((JSON.parse(body) as JsonObject)['message']);
  } catch {
    return body;
  }
}

function normalised(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'UID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d{2,7}\b/g, 'N');
}

async function prepare(wire: Wire, harness: Harness): Promise<void> {
  const post = (target: string, object: JsonObject): Promise<Answer | undefined> =>
    send(wire, {
      method: 'POST',
      target,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(object)),
      manner: 'whole',
    });
  for (const name of harness.namespaces)
    await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', gadgetDefinition(harness.group));
  const gadgets = {
    method: 'GET',
    target: `/apis/${harness.group}/v1/gadgets`,
    headers: {},
    body: undefined,
    manner: 'whole',
  } as const;
  while ((await send(wire, gadgets))?.code !== 200) await new Promise((wake) => setTimeout(wake, 50));
  for (const { base, plural, namespaced, careful, createOnly, example } of kindsOf(harness)) {
    if (careful === true || createOnly === true) continue;
    const path = namespaced ? `${base}/namespaces/${harness.namespaces[0]}/${plural}` : `${base}/${plural}`;
    await post(path, { ...example, metadata: { name: 'a' } });
  }
}
