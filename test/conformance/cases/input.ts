import { configMap, configMaps, core, crd, pod, widget, widgets } from '../builders.ts';
import type { HttpAnswer } from '../http.ts';
import { kase } from '../kase.ts';
import { envelope, mapEntry, message } from '../protobuf.ts';
import type { Field } from '../protobuf.ts';
import type { Case } from '../script.ts';

const asJson = { 'content-type': 'application/json' };

/** How a server answers input that makes no sense. */
export const input: Case[] = [
  kase('Bad input: broken JSON', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    for (const body of [
      '{',
      '',
      'null',
      '[]',
      '"x"',
      '12',
      '{"a":}',
      '{"kind":"ConfigMap","apiVersion":"v1"} trailing',
      'kind: ConfigMap',
      '{"metadata":{"name":"x"}}',
      '\u0000',
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":[]}',
      '{"kind":5,"apiVersion":"v1"}',
    ]) {
      await t.send({ method: 'POST', path: configMaps(ns), body, headers: asJson });
      await t.send({ method: 'POST', path: widgets(t.token, ns), body, headers: asJson });
    }
  }),
  kase('Bad input: broken JSON in an update', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a'));
    for (const body of ['{', '', '[]', '{}', '{"kind":"ConfigMap","apiVersion":"v1"}'])
      await t.send({ method: 'PUT', path: `${configMaps(ns)}/a`, body, headers: asJson });
  }),
  kase('Bad input: wrong kind or version in the body', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    await t.post(configMaps(ns), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
    await t.post(configMaps(ns), { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } });
    await t.post(configMaps(ns), { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } });
    await t.post(configMaps(ns), { apiVersion: 'v1', kind: 'Nothing', metadata: { name: 'a' } });
    await t.post(configMaps(ns), { apiVersion: 'a/b/c', kind: 'ConfigMap', metadata: { name: 'a' } });
    await t.post(configMaps(ns), { kind: 'ConfigMap', metadata: { name: 'no-version' } });
    await t.post(configMaps(ns), { apiVersion: 'v1', metadata: { name: 'no-kind' } });
    await t.post(widgets(t.token, ns), { ...widget(t.token, 'a'), kind: 'Gadget' });
    await t.post(widgets(t.token, ns), { ...widget(t.token, 'a'), apiVersion: `${t.token}.example.com/v2` });
    await t.post(widgets(t.token, ns), { ...widget(t.token, 'a'), apiVersion: 'v1', kind: 'ConfigMap' });
    await t.post(widgets(t.token, ns), { metadata: { name: 'bare' } });
    await t.put(`${widgets(t.token, ns)}/none`, { ...widget(t.token, 'none'), kind: 'Gadget' });
    await t.post(configMaps(ns), { apiVersion: 'v1', kind: 'ConfigMapList', items: [] });
  }),
  kase('Bad input: wrong types of fields', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), { ...configMap('a'), data: { k: 1 } });
    await t.post(configMaps(ns), { ...configMap('a'), data: ['x'] });
    await t.post(configMaps(ns), { ...configMap('a'), data: 'x' });
    await t.post(configMaps(ns), { ...configMap('a'), binaryData: { k: 'not base64!' } });
    await t.post(configMaps(ns), { ...configMap('a'), immutable: 'yes' });
    await t.post(configMaps(ns), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 5 } });
    await t.post(configMaps(ns), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', creationTimestamp: 'yesterday' },
    });
    await t.post(core(ns, 'pods'), pod('p', { containers: {} }));
    await t.post(
      core(ns, 'pods'),
      pod('p', { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 'http' }] }] }),
    );
    await t.post(
      core(ns, 'pods'),
      pod('p', { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: 'much' } } }] }),
    );
    await t.post(core(ns, 'pods'), pod('p', { terminationGracePeriodSeconds: 1.5 }));
    await t.post(core(ns, 'services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 80, targetPort: {} }] },
    });
  }),
  kase('Bad input: nulls in a built-in kind', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', labels: null, annotations: { a: null } },
      data: null,
    });
    await t.post(configMaps(ns), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { k: null } });
    await t.post(
      core(ns, 'pods'),
      pod('p', { nodeName: null, containers: [{ name: 'c', image: 'i', env: null, args: [null] }] }),
    );
  }),
  kase('Bad input: a huge body', async (t) => {
    const ns = await t.namespace();
    await t.post(configMaps(ns), configMap('a', { k: 'x'.repeat(1024 * 1024 + 1) }));
    await t.post(configMaps(ns), configMap('a', { k: 'x'.repeat(3 * 1024 * 1024 + 1) }));
    await t.quiet.post(configMaps(ns), configMap('b'));
    await t.patch('merge', `${configMaps(ns)}/b`, { data: { k: 'x'.repeat(3 * 1024 * 1024 + 1) } });
    await t.post(configMaps(ns), configMap('ann', {}, { annotations: { a: 'x'.repeat(256 * 1024 + 1) } }));
  }),
  kase('Bad input: media types', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    const body = JSON.stringify(configMap('a'));
    for (const type of ['text/plain', 'application/xml', 'nonsense', 'application/json; charset=utf-8']) {
      await t.send({ method: 'POST', path: `${configMaps(ns)}?dryRun=All`, body, headers: { 'content-type': type } });
      await t.send({ method: 'POST', path: widgets(t.token, ns), body, headers: { 'content-type': type } });
    }
    await t.send({
      method: 'POST',
      path: `${configMaps(ns)}?dryRun=All`,
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
      headers: { 'content-type': 'application/yaml' },
    });
    await t.send({
      method: 'POST',
      path: configMaps(ns),
      body: 'a: [',
      headers: { 'content-type': 'application/yaml' },
    });
    await t.send({
      method: 'PATCH',
      path: `${configMaps(ns)}/a`,
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    await t.send({
      method: 'PATCH',
      path: `${configMaps(ns)}/a`,
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    await t.send({
      method: 'PATCH',
      path: `${widgets(t.token, ns)}/a`,
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    await t.get(configMaps(ns), { headers: { accept: 'text/html' } });
    await t.get(`${configMaps(ns)}/kube-root-ca.crt`, { headers: { accept: 'image/png' } });
    await t.get(widgets(t.token, ns), { headers: { accept: 'application/vnd.kubernetes.protobuf, application/json' } });
  }),
  kase('Protobuf bodies: create, update and delete', async (t) => {
    const ns = await t.namespace();
    const type = { headers: { 'content-type': 'application/vnd.kubernetes.protobuf' } };
    const send = (method: string, path: string, body: Buffer): Promise<HttpAnswer> =>
      t.send({ method, path, body, ...type });
    const labels = [mapEntry('a', '1'), mapEntry('b', '')].map((entry): Field => [11, entry]);
    const meta = message([1, 'a'], ...labels);
    const map = (...data: Field[]): Buffer => envelope('v1', 'ConfigMap', message([1, meta], ...data));
    await send('POST', configMaps(ns), map([2, mapEntry('k', 'ü')], [3, mapEntry('bytes', Buffer.from([0, 255, 7]))]));
    await send('PUT', `${configMaps(ns)}/a`, map([2, mapEntry('k', '2')], [4, 1]));
    // The target of the ports is a number, a name, or absent; there is a selector.
    const ports = [
      message([1, 'number'], [2, 'TCP'], [3, 80], [4, message([1, 0], [2, 8080], [3, ''])]),
      message([1, 'name'], [2, 'UDP'], [3, 300], [4, message([1, 1], [2, 0], [3, 'dns'])]),
      message([1, 'none'], [3, 443]),
    ].map((port): Field => [1, port]);
    const spec = message(...ports, [2, mapEntry('app', 'x')], [13, 1]);
    await send('POST', core(ns, 'services'), envelope('v1', 'Service', message([1, message([1, 's'])], [2, spec])));
    const wrong = message([2, message([1, 'not-its-uid'])], [4, 'Background']);
    await send('DELETE', `${configMaps(ns)}/a`, envelope('v1', 'DeleteOptions', wrong));
    await t.get(`${configMaps(ns)}/a`);
  }),
  kase('Bad input: broken patches', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }));
    const path = `${configMaps(ns)}/a`;
    for (const type of ['json', 'merge', 'strategic'] as const) {
      for (const body of [
        '{',
        '',
        '[]',
        '{}',
        '"x"',
        'null',
        '[1]',
        '{"data":5}',
        '{"data":{"k":5}}',
        '{"metadata":{"name":"b"}}',
      ])
        await t.patch(type, path, body);
    }
    for (const body of [
      '',
      '{',
      '[]',
      '{}',
      'a: [',
      '"x"',
      '{"apiVersion":"v1","kind":"ConfigMap","data":5}',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}}',
      '{"apiVersion":"v1","kind":"Secret"}',
    ]) {
      await t.apply(path, 'm', body);
    }
  }),
  kase('Bad input: queries', async (t) => {
    const ns = await t.namespace();
    await t.get(`${configMaps(ns)}?watch=false&limit=1`);
    await t.get(`${configMaps(ns)}?allowWatchBookmarks=maybe&limit=1`);
    await t.get(`${configMaps(ns)}/kube-root-ca.crt?pretty=false&unknown=1`);
    await t.post(`${configMaps(ns)}?dryRun=`, configMap('a'));
    await t.patch('apply', `${configMaps(ns)}/a?force=maybe&fieldManager=m`, configMap('a'));
    await t.get(`${configMaps(ns)}/%zz`);
    await t.get(`${configMaps(ns)}/a%2Fb`);
    await t.get(`${configMaps(ns)}/`);
    await t.get(`${configMaps(ns)}//a`);
  }),
  kase('Bad input: pretty answers are the same', async (t) => {
    const ns = await t.namespace();
    await t.quiet.post(configMaps(ns), configMap('a', { k: '1' }));
    await t.get(`${configMaps(ns)}/a?pretty=true`);
    await t.get(`${configMaps(ns)}/a`, { headers: { 'user-agent': 'curl/8.0' } });
  }),
];
