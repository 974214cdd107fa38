import { isObject } from '../../../packages/sandbox/src/values/json.ts';
import type { Json, JsonObject } from '../../../packages/sandbox/src/values/json.ts';
import { crd, groupOf } from '../builders.ts';
import type { HttpAnswer } from '../http.ts';
import { kase } from '../kase.ts';
import { at } from '../script.ts';
import type { Case, Script } from '../script.ts';
import { servedResources } from '../served.ts';

const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';
const path = (groupVersion: string): string => (groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`);

const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const resourceCases: Case[] = Object.entries(servedResources).map(([groupVersion, names]) =>
  kase(`1. Discovery ${groupVersion}`, async (t) => {
    const answer = await t.client.send({ method: 'GET', path: path(groupVersion) });
    const { resources, ...head } = answer.body as JsonObject;
    t.note('head', head);
    t.note(
      'resources',
      list(resources)
        .filter(({ name }) => names.includes(String(name)))
        .toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
    );
  }),
);

async function aggregatedFacts(t: Script, path_: string): Promise<void> {
  const answer = await t.client.send({ method: 'GET', path: path_, headers: { accept: aggregated } });
  const { items, ...head } = answer.body as JsonObject;
  t.note('status and type', [answer.status, String(answer.headers['content-type'])]);
  t.note('head', head);
  for (const group of list(items)) {
    const name = isObject(group['metadata']) ? String(group['metadata']['name'] ?? '') : '';
    for (const version of list(group['versions'])) {
      const key = name === '' ? String(version['version']) : `${name}/${String(version['version'])}`;
      const served = servedResources[key];
      if (served === undefined) continue;
      const kept = list(version['resources']).filter(({ resource }) => served.includes(String(resource)));
      for (const resource of kept) {
        const subresources = list(resource['subresources']).filter(({ subresource }) =>
          served.includes(`${String(resource['resource'])}/${String(subresource)}`),
        );
        delete resource['subresources'];
        if (subresources.length > 0)
          resource['subresources'] = subresources.toSorted((a, b) =>
            String(a['subresource']) < String(b['subresource']) ? -1 : 1,
          );
      }
      t.note(key, {
        ...version,
        resources: kept.toSorted((a, b) => (String(a['resource']) < String(b['resource']) ? -1 : 1)),
      });
    }
  }
}

export const discovery: Case[] = [
  kase('1. Discovery /api', async (t) => {
    const answer = await t.client.send({ method: 'GET', path: '/api' });
    const { kind, versions, apiVersion } = answer.body as JsonObject;
    t.note('/api', { kind: kind ?? null, apiVersion: apiVersion ?? null, versions: versions ?? null });
  }),
  kase('1. Discovery /apis', async (t) => {
    const answer = await t.client.send({ method: 'GET', path: '/apis' });
    const { groups, ...head } = answer.body as JsonObject;
    t.note('head', head);
    const served = new Set(Object.keys(servedResources).map((key) => key.split('/')[0]));
    const kept = list(groups).filter(({ name }) => served.has(String(name)));
    t.note(
      'groups',
      kept.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
    );
  }),
  kase('1. Discovery of one group', async (t) => {
    await t.get('/apis/coordination.k8s.io');
    await t.get('/apis/rbac.authorization.k8s.io');
    await t.get('/apis/nothing.example.com');
  }),
  ...resourceCases,
  kase('1. Discovery, aggregated, of /api', (t) => aggregatedFacts(t, '/api')),
  kase('1. Discovery, aggregated, of /apis', (t) => aggregatedFacts(t, '/apis')),
  kase('1. Discovery, aggregated, answers 304 to a known ETag', async (t) => {
    const first = await t.client.send({ method: 'GET', path: '/api', headers: { accept: aggregated } });
    const etag = String(first.headers['etag']);
    t.note('the ETag is quoted', /^".+"$/.test(etag));
    const second = await t.client.send({
      method: 'GET',
      path: '/api',
      headers: { accept: aggregated, 'if-none-match': etag },
    });
    t.note('second answer', [second.status, second.body ?? null]);
  }),
  kase('1. Discovery of a CRD', async (t) => {
    await t.crd(
      crd(t.token, {
        version: {
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' },
          },
        },
        spec: {
          names: {
            plural: 'widgets',
            singular: 'widget',
            kind: 'Widget',
            listKind: 'WidgetList',
            shortNames: ['wd'],
            categories: ['all', 'gadgets'],
          },
        },
      }),
    );
    await t.until(`/apis/${groupOf(t.token)}`, ({ status }) => status === 200);
    await t.until(`/apis/${groupOf(t.token)}/v1`, ({ status }) => status === 200);
    // Several documents collect groups, and each shows a new one at its own time.
    const listed = (answer: HttpAnswer): JsonObject[] =>
      list(at(answer, 'groups')).filter(({ name }) => name === groupOf(t.token));
    t.note('in /apis', listed(await t.eventually('/apis', (answer) => listed(answer).length > 0)));
    const gathered = (answer: HttpAnswer): JsonObject[] =>
      list(at(answer, 'items')).filter(
        (group) => isObject(group['metadata']) && group['metadata']['name'] === groupOf(t.token),
      );
    const isCurrent = (group: JsonObject): boolean =>
      list(group['versions']).some(({ freshness, resources }) => freshness === 'Current' && list(resources).length > 0);
    const asked = { method: 'GET', path: '/apis', headers: { accept: aggregated } };
    t.note('aggregated', gathered(await t.eventually(asked, (answer) => gathered(answer).some(isCurrent))));
  }),
  kase('1. Discovery /version', async (t) => {
    const answer = await t.client.send({ method: 'GET', path: '/version' });
    const {
      major,
      minor,
      gitVersion,
      emulationMajor,
      emulationMinor,
      minCompatibilityMajor,
      minCompatibilityMinor,
      ...rest
    } = answer.body as JsonObject;
    t.note('version', { major: major ?? null, minor: minor ?? null, gitVersion: gitVersion ?? null });
    t.note('emulation', [
      emulationMajor ?? null,
      emulationMinor ?? null,
      minCompatibilityMajor ?? null,
      minCompatibilityMinor ?? null,
    ]);
    t.note('other keys', Object.keys(rest).toSorted());
  }),
  kase('1. Discovery /healthz, /livez, /readyz', async (t) => {
    for (const probe of [
      '/healthz',
      '/livez',
      '/readyz',
      '/livez/ping',
      '/readyz/ping',
      '/healthz/ping',
      '/livez/nothing',
    ])
      await t.get(probe);
  }),
  kase('1. Discovery /openapi/v3', async (t) => {
    const index = await t.client.send({ method: 'GET', path: '/openapi/v3' });
    const paths = at(index, 'paths') as { [name: string]: { serverRelativeURL: string } };
    for (const groupVersion of Object.keys(servedResources)) {
      const name = path(groupVersion).slice(1);
      t.note(name, /^\/openapi\/v3\/\S+\?hash=\w+$/.test(paths[name]?.serverRelativeURL ?? ''));
    }
    const document = await t.client.send({ method: 'GET', path: '/openapi/v3/apis/coordination.k8s.io/v1' });
    t.note('openapi', at(document, 'openapi') ?? null);
    t.note('title', at(document, 'info', 'title') ?? null);
    const lease = at(document, 'components', 'schemas', 'io.k8s.api.coordination.v1.Lease') as JsonObject;
    t.note('kind of the Lease schema', lease['x-kubernetes-group-version-kind'] ?? null);
    t.note('fields of the Lease schema', Object.keys(lease['properties'] as JsonObject).toSorted());
    await t.get('/openapi/v3/apis/nothing.example.com/v1');
  }),
  kase('1. Discovery /openapi/v3 of a CRD', async (t) => {
    await t.crd(crd(t.token));
    const document = await t.eventually(
      `/openapi/v3/apis/${groupOf(t.token)}/v1`,
      (answer) => at(answer, 'components') !== undefined,
    );
    const schemas = at(document, 'components', 'schemas') as JsonObject;
    const name = Object.keys(schemas).find((key) => key.endsWith('.Widget')) ?? '';
    t.note('name', name);
    t.note('spec', (schemas[name] as { properties: JsonObject }).properties['spec'] ?? null);
    t.note('status', (schemas[name] as { properties: JsonObject }).properties['status'] ?? null);
  }),
  kase('1. Discovery of what is not there', async (t) => {
    const ns = await t.namespace();
    for (const wrong of [
      '/nope',
      '/apis/apps/v2',
      '/apis/nope.example.com/v1',
      '/api/v2',
      '/api/v1/nopes',
      `/api/v1/namespaces/${ns}/nopes`,
      `/api/v1/namespaces/${ns}/nopes/x`,
      '/apis/apps/v1/nopes',
      `/apis/apps/v1/namespaces/${ns}/nopes/a/status`,
      `/api/v1/namespaces/${ns}/configmaps/x/status`,
    ]) {
      await t.get(wrong);
    }
  }),
  kase('1. Discovery: methods that a path does not have', async (t) => {
    const ns = await t.namespace();
    await t.send({ method: 'PUT', path: `/api/v1/namespaces/${ns}/configmaps`, body: {} });
    await t.send({ method: 'POST', path: `/api/v1/namespaces/${ns}/configmaps/x`, body: {} });
    await t.send({ method: 'PATCH', path: `/api/v1/namespaces/${ns}/configmaps`, body: {} });
    await t.send({ method: 'DELETE', path: '/api/v1/namespaces' });
    await t.send({ method: 'PUT', path: '/version', body: {} });
    await t.get('/apis/authorization.k8s.io/v1/subjectaccessreviews');
    await t.send({ method: 'OPTIONS', path: `/api/v1/namespaces/${ns}/configmaps` });
  }),
];
