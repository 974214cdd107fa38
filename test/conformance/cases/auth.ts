import { configMaps, core } from '../builders.ts';
import { httpClient } from '../http.ts';
import { kase } from '../kase.ts';
import { text } from '../script.ts';
import type { Case } from '../script.ts';

const decoded = (jwt: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

export const auth: Case[] = [
  kase('10. Auth: a wrong token is 401', async (t) => {
    const wrong = t.as(httpClient(t.cluster, { token: 'wrong' }));
    await wrong.get('/api/v1/namespaces');
    await wrong.get('/version');
    await wrong.get('/nope');
  }),
  kase('10. Auth: client certificates', async (t) => {
    const { clientCertificate } = t.cluster;
    if (clientCertificate === undefined) throw new Error('the cluster has no client certificate');
    const client = t.as(httpClient(t.cluster, { certificate: clientCertificate }));
    const ns = await t.namespace();
    await client.get(`${configMaps(ns)}?labelSelector=none`);
  }),
  kase('10. Auth: SelfSubjectReview of the administrator', async (t) => {
    const answer = await t.client.send({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    t.note('in system:masters', [answer.status, JSON.stringify(answer.body).includes('"system:masters"')]);
  }),
  kase('10. Auth: SubjectAccessReview for an administrator', async (t) => {
    const spec = { resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } };
    await t.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { ...spec, user: 'someone', groups: ['system:masters'] },
    });
    await t.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec,
    });
    await t.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes: { path: '/version', verb: 'get' } },
    });
    await t.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec,
    });
    await t.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: {},
    });
  }),
  kase('10. Auth: tokens of ServiceAccounts', async (t) => {
    const ns = await t.namespace();
    const path = `${core(ns, 'serviceaccounts')}/default/token`;
    const made = await t.post(path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3600 },
    });
    const claims = decoded(text(made, 'status', 'token'));
    t.note('subject', String(claims['sub']));
    t.note('claims', Object.keys(claims).toSorted());
    t.note('lifetime', Number(claims['exp']) - Number(claims['iat']));
    await t.post(path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 5 },
    });
    await t.post(path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: ['vault'] },
    });
    await t.post(`${core(ns, 'serviceaccounts')}/none/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    const client = httpClient(t.cluster, { token: text(made, 'status', 'token') });
    t.defer(() => client.close());
    const who = await client.send({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    t.note('who the token is', [who.status, text(who, 'status', 'userInfo', 'username')]);
  }),
  kase('10. Auth: a default ServiceAccount comes back', async (t) => {
    const ns = await t.namespace();
    const path = `${core(ns, 'serviceaccounts')}/default`;
    const old = await t.get(path);
    await t.delete(path);
    await t.until(
      path,
      (answer) => answer.status === 200 && text(answer, 'metadata', 'uid') !== text(old, 'metadata', 'uid'),
    );
  }),
  kase('10. Auth: a Secret of the token type is filled', async (t) => {
    const ns = await t.namespace();
    await t.post(core(ns, 'secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { name: 'tok', annotations: { 'kubernetes.io/service-account.name': 'default' } },
    });
    const filled = await t.eventually(`${core(ns, 'secrets')}/tok`, ({ body }) =>
      JSON.stringify(body).includes('"token"'),
    );
    t.note('keys', Object.keys((filled.body as { data: object }).data).toSorted());
    t.note(
      'annotations',
      Object.keys((filled.body as { metadata: { annotations: object } }).metadata.annotations).toSorted(),
    );
    await t.post(core(ns, 'secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { name: 'bad' },
    });
  }),
];
