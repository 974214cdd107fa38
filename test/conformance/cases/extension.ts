import { configMap, configMaps, core, crd, groupOf, widget, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { at } from '../script.ts';
import type { Case, Script } from '../script.ts';
import { answer, serve, webhook } from '../servers.ts';
import type { LoopbackServer } from '../servers.ts';
import type { Json, JsonObject } from '../../../packages/sandbox/src/values/json.ts';

const base = '/apis/admissionregistration.k8s.io/v1';
type Sort = 'Validating' | 'Mutating';

/** Registers a webhook for the ConfigMaps of one namespace, and waits until it is in force. */
async function register(
  t: Script,
  ns: string,
  sort: Sort,
  server: LoopbackServer | undefined,
  rest: JsonObject = {},
): Promise<void> {
  const name = `${sort.toLowerCase()}-${t.token}`;
  const resource = `${sort.toLowerCase()}webhookconfigurations`;
  await t.quiet.post(`${base}/${resource}`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${sort}WebhookConfiguration`,
    metadata: { name },
    webhooks: [
      {
        name: `${sort.toLowerCase()}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: 2,
        clientConfig: {
          url: `${server?.url ?? 'https://127.0.0.1:9'}/hook`,
          ...(server === undefined ? {} : { caBundle: server.caBundle }),
        },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ns } },
        rules: [
          {
            apiGroups: ['', groupOf(t.token)],
            apiVersions: ['*'],
            operations: ['*'],
            resources: ['configmaps', 'widgets', 'widgets/status'],
            scope: '*',
          },
        ],
        ...rest,
      },
    ],
  });
  t.defer(() => t.client.send({ method: 'DELETE', path: `${base}/${resource}/${name}` }));
}

/** Tries a write off the record until the webhook has seen it. */
async function inForce(t: Script, ns: string, seen: () => boolean): Promise<void> {
  for (let i = 0; !seen(); i++) {
    if (i > 400) throw new Error('the webhook did not come into force');
    await t.client.send({ method: 'POST', path: `${configMaps(ns)}?dryRun=All`, body: configMap('probe') });
    await new Promise((wake) => setTimeout(wake, 25));
  }
}

const jsonPatch = (operations: Json): JsonObject => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const nameOf = (request: JsonObject): string => String(request['name'] ?? '');

/** The part of an AdmissionRequest that is the same each time. */
function told(request: JsonObject): JsonObject {
  const { userInfo: _, ...rest } = request;
  return rest;
}

/** A server that finds its cache stale asks again with the fresh object: only the last of such calls counts. */
function lastOfEach(requests: readonly JsonObject[]): JsonObject[] {
  const last = new Map<string, JsonObject>();
  for (const request of requests) {
    const { kind, operation, subResource, name, dryRun } = request;
    last.set(JSON.stringify([kind, operation, subResource, name, dryRun]), request);
  }
  return [...last.values()];
}

export const extension: Case[] = [
  kase('Admission webhooks: a validating one refuses in its own words', async (t) => {
    const ns = await t.namespace();
    let seen = 0;
    const server = await webhook(t, (request) => {
      seen++;
      const name = nameOf(request);
      if (name === 'plain') return { allowed: false };
      if (name === 'message') return { allowed: false, status: { message: 'not on a Sunday' } };
      if (name === 'code') return { allowed: false, status: { code: 422, reason: 'Invalid', message: 'too odd' } };
      if (name === 'teapot') return { allowed: false, status: { code: 418, message: 'short and stout' } };
      return { allowed: true, warnings: ['be careful', 'very careful'] };
    });
    await register(t, ns, 'Validating', server);
    await inForce(t, ns, () => seen > 0);
    for (const name of ['plain', 'message', 'code', 'teapot', 'fine']) await t.post(configMaps(ns), configMap(name));
    await t.patch('merge', `${configMaps(ns)}/fine`, { data: { a: 'b' } });
    await t.delete(`${configMaps(ns)}/fine`);
  }),
  kase('Admission webhooks: the request that a webhook gets', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const requests: JsonObject[] = [];
    const server = await webhook(t, (request) => {
      requests.push(request);
      return { allowed: true };
    });
    await register(t, ns, 'Validating', server);
    await inForce(t, ns, () => requests.length > 0);
    requests.length = 0;
    await t.quiet.post(`${configMaps(ns)}?fieldManager=me`, configMap('a', { k: '1' }));
    await t.quiet.patch('merge', `${configMaps(ns)}/a`, { data: { k: '2' } });
    await t.quiet.delete(`${configMaps(ns)}/a`);
    await t.quiet.post(`${configMaps(ns)}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'gen-' },
    });
    await t.quiet.post(widgets(t.token, ns), widget(t.token, 'w', { spec: { colour: 'red' } }));
    await t.quiet.patch('merge', `${widgets(t.token, ns)}/w/status`, { status: { phase: 'Up' } });
    await t.quiet.apply(
      `${widgets(t.token, ns)}/w`,
      'applier',
      widget(t.token, 'w', { spec: { size: 5 } }),
      'force=true',
    );
    t.note('requests', lastOfEach(requests).map(told));
  }),
  kase('Admission webhooks: a mutating one changes the object', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    let seen = 0;
    const server = await webhook(t, (request) => {
      seen++;
      const name = nameOf(request);
      if (request['operation'] === 'DELETE') return { allowed: true };
      if (name === 'broken')
        return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from('{').toString('base64') };
      if (name === 'wrong') return jsonPatch([{ op: 'remove', path: '/none' }]);
      if (name === 'bad') return jsonPatch([{ op: 'add', path: '/spec', value: { size: 1000 } }]);
      return jsonPatch([{ op: 'add', path: '/metadata/labels', value: { mutated: 'yes' } }]);
    });
    await register(t, ns, 'Mutating', server);
    await inForce(t, ns, () => seen > 0);
    for (const name of ['fine', 'broken', 'wrong']) await t.post(configMaps(ns), configMap(name, { k: '1' }));
    await t.patch('merge', `${configMaps(ns)}/fine`, { metadata: { labels: null }, data: { k: '2' } });
    await t.post(widgets(t.token, ns), widget(t.token, 'bad'));
    await t.post(widgets(t.token, ns), widget(t.token, 'good', { spec: { colour: 'red' } }));
  }),
  kase('Admission webhooks: the mutating one comes before the validating one', async (t) => {
    const ns = await t.namespace();
    const seen: Json[] = [];
    const validating = await webhook(t, (request) => {
      seen.push((request['object'] as { metadata?: { labels?: JsonObject } } | null)?.metadata?.labels ?? null);
      return { allowed: true };
    });
    const mutating = await webhook(t, () =>
      jsonPatch([{ op: 'add', path: '/metadata/labels', value: { mutated: 'yes' } }]),
    );
    await register(t, ns, 'Mutating', mutating);
    await register(t, ns, 'Validating', validating);
    await inForce(t, ns, () => JSON.stringify(seen).includes('mutated'));
    seen.length = 0;
    await t.post(configMaps(ns), configMap('a'));
    t.note('seen', seen);
  }),
  kase('Admission webhooks: failurePolicy', async (t) => {
    const strict = await t.namespace('fail');
    await register(t, strict, 'Validating', undefined);
    for (let i = 0; ; i++) {
      const probe = await t.client.send({
        method: 'POST',
        path: `${configMaps(strict)}?dryRun=All`,
        body: configMap('probe'),
      });
      if (probe.status >= 400) {
        t.note('Fail', [
          probe.status,
          String(at(probe, 'reason')),
          String(at(probe, 'message')).split('"https')[0] ?? '',
        ]);
        break;
      }
      if (i > 400) throw new Error('the webhook did not come into force');
      await new Promise((wake) => setTimeout(wake, 25));
    }
  }),
  kase('Admission webhooks: failurePolicy Ignore and a bad answer', async (t) => {
    const ns = await t.namespace();
    let seen = 0;
    const server = await serve(t, (_, __, response) => {
      seen++;
      answer(response, 500, { error: 'x' });
    });
    await register(t, ns, 'Validating', server, { failurePolicy: 'Ignore' });
    await inForce(t, ns, () => seen > 0);
    await t.post(configMaps(ns), configMap('a'));
  }),
  kase('Admission webhooks: matchConditions and objectSelector', async (t) => {
    const ns = await t.namespace();
    const names: string[] = [];
    const server = await webhook(t, (request) => {
      names.push(nameOf(request));
      return { allowed: true };
    });
    await register(t, ns, 'Validating', server, {
      objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
      matchConditions: [{ name: 'not-b', expression: 'object.metadata.name != "b"' }],
    });
    await inForce(t, ns, () => names.length > 0);
    names.length = 0;
    await t.quiet.post(configMaps(ns), configMap('a'));
    await t.quiet.post(configMaps(ns), configMap('b'));
    await t.quiet.post(configMaps(ns), configMap('c', {}, { labels: { skip: 'me' } }));
    await t.quiet.post(configMaps(ns), configMap('d'));
    t.note('called for', names);
  }),
  kase('Admission webhooks: configurations that are refused or defaulted', async (t) => {
    const make = (hook: JsonObject): Promise<unknown> =>
      t.post(`${base}/validatingwebhookconfigurations?dryRun=All`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: `x-${t.token}` },
        webhooks: [hook],
      });
    const fine = {
      name: 'a.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://example.com/x' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    };
    await make(fine);
    await make({ ...fine, name: 'nodots' });
    await make({ ...fine, sideEffects: 'Some' });
    await make({ ...fine, clientConfig: { url: 'http://example.com' } });
    await make({ ...fine, clientConfig: {} });
    await make({ ...fine, timeoutSeconds: 60 });
    await make({ ...fine, admissionReviewVersions: [] });
    await make({ ...fine, rules: [{ apiGroups: ['a', '*'], apiVersions: [], operations: ['SING'], resources: [] }] });
    await make({ ...fine, failurePolicy: 'Maybe', matchPolicy: 'Somehow' });
    await make({ ...fine, clientConfig: { service: { namespace: 'n', name: 's' } } });
  }),
  kase('APIServices: that of the core group is local', async (t) => {
    await t.get('/apis/apiregistration.k8s.io/v1/apiservices/v1.');
  }),
  kase('APIServices: the built-in ones and those of CRDs are local', async (t) => {
    await t.get('/apis/apiregistration.k8s.io/v1/apiservices/v1.apps');
    await t.crd(crd(t.token));
    await t.until(`/apis/apiregistration.k8s.io/v1/apiservices/v1.${groupOf(t.token)}`, (found) =>
      JSON.stringify(at(found, 'status') ?? {}).includes('"True"'),
    );
  }),
  kase('APIServices: without their Service they are not available', async (t) => {
    const name = `v1.${groupOf(t.token)}`;
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    await t.post(path, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name },
      spec: {
        group: groupOf(t.token),
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: `none-${t.token}` },
      },
    });
    t.defer(() => t.client.send({ method: 'DELETE', path: `${path}/${name}` }));
    await t.until(`${path}/${name}`, (found) => Array.isArray(at(found, 'status', 'conditions')));
    await t.until(`/apis/${groupOf(t.token)}/v1/widgets`, ({ status }) => status === 503);
    await t.post(path, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'wrong' },
      spec: { group: groupOf(t.token), version: 'v1' },
    });
  }),
  kase('APIServices: requests are handed on, with who asks', async (t) => {
    const ns = await t.namespace();
    const group = groupOf(t.token);
    const name = `v1.${group}`;
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    const asked: JsonObject[] = [];
    const server = await serve(
      t,
      (request, body, response) => {
        const url = request.url ?? '';
        if (url === `/apis/${group}/v1`) {
          return answer(response, 200, {
            kind: 'APIResourceList',
            apiVersion: 'v1',
            groupVersion: `${group}/v1`,
            resources: [
              { name: 'echoes', singularName: 'echo', namespaced: true, kind: 'Echo', verbs: ['get', 'create'] },
            ],
          });
        }
        if (!url.includes('/echoes')) return answer(response, 404, {});
        asked.push({
          method: request.method ?? '',
          url,
          user: String(request.headers['x-remote-user'] ?? ''),
          groups: String(request.headers['x-remote-group'] ?? ''),
          authorization: request.headers.authorization ?? null,
          body,
        });
        return answer(response, url.includes('teapot') ? 418 : 200, {
          kind: 'Echo',
          apiVersion: `${group}/v1`,
          metadata: { name: 'e' },
          said: body,
        });
      },
      [`agg.${ns}.svc`],
    );
    await t.quiet.post(core(ns, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'agg' },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port: server.port }] },
    });
    await t.quiet.post(path, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        caBundle: server.caBundle,
        service: { namespace: ns, name: 'agg', port: server.port },
      },
    });
    t.defer(() => t.client.send({ method: 'DELETE', path: `${path}/${name}` }));
    const available = await t.eventually(`${path}/${name}`, (found) =>
      JSON.stringify(at(found, 'status') ?? {}).includes('"status":"True"'),
    );
    t.note('conditions', at(available, 'status', 'conditions') ?? null);
    await t.eventually(`/apis/${group}/v1/namespaces/${ns}/echoes/e`, ({ status }) => status === 200);
    asked.length = 0;
    await t.get(`/apis/${group}/v1/namespaces/${ns}/echoes/e?x=1`);
    await t.post(`/apis/${group}/v1/namespaces/${ns}/echoes`, { hello: 'there' });
    await t.get(`/apis/${group}/v1/namespaces/${ns}/echoes/teapot`);
    await t.get(`/apis/${group}/v1`);
    const users = asked.map(({ user }) => user);
    t.note(
      'asked',
      asked.map(({ user: _, groups, ...rest }) => ({ ...rest, masters: String(groups).includes('system:masters') })),
    );
    t.note(
      'a user is named',
      users.every((user) => user !== ''),
    );
    await t.until(`/apis/${group}`, ({ status }) => status === 200);
  }),
];
