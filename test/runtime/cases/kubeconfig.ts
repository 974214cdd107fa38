/** Kubeconfigs that reach a server, and credentials that the server refuses. */
import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { systemClock } from '../../../packages/kube/src/clock.ts';
import { inCluster, loadKubeconfig, strictKubeconfig } from '../../../packages/kube/src/kubeconfig/load.ts';
import { kubeconfigText, throwAwayFolder } from '../../cluster/cluster.ts';
import type { RuntimeCase } from '../case.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Harness } from '../harness.ts';

interface Who {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The user that the server sees behind a client. */
async function whoIs(client: Client): Promise<Who> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const answer = await client.request({ method: 'POST', path, body });
  return (answer.body as { status: { userInfo: Who } }).status.userInfo;
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await throwAwayFolder('kubeconfig-');
  try {
    await run(folder.path);
  } finally {
    await folder.remove();
  }
}

/** Lets the proxy refuse the current token repeatedly; `put` stores a new one where the client looks for it. */
async function surviveRefusals(
  proxy: FaultProxy,
  client: Client,
  put: (token: string) => Promise<void>,
): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    const token = proxy.issueToken();
    await put(token);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.request({ method: 'GET', path: '/version' })),
    );
    assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set([200]));
    proxy.expireToken(token);
  }
}

function proxied(harness: Harness, user: string): string {
  const text = kubeconfigText({ url: harness.proxy.url, ca: harness.proxy.ca, token: '' });
  return text.replace('token: ""', user);
}

export const kubeconfigCases: readonly RuntimeCase[] = [
  {
    id: 'T1',
    name: 'the kubeconfig that the cluster hands out leads to it',
    async run(harness) {
      const source = await loadKubeconfig({ path: harness.cluster.adminKubeconfig });
      assert.ok((await whoIs(harness.client({ source }))).groups?.includes('system:masters'));
      const strict = strictKubeconfig(kubeconfigText(harness.cluster));
      assert.ok((await whoIs(harness.client({ source: strict }))).groups?.includes('system:masters'));
    },
  },
  {
    id: 'T1',
    name: 'the server sees the user, the groups and the extra values that a kubeconfig impersonates',
    run: (harness) =>
      inFolder(async (folder) => {
        const path = join(folder, 'config');
        const as =
          'as: bob, as-uid: u-1, as-groups: [dev, "of people"], as-user-extra: { "example.com/scope%": [a, b] }';
        await writeFile(path, kubeconfigText(harness.cluster).replace('user: { ', `user: { ${as}, `));
        const { username, uid, groups, extra } = await whoIs(
          harness.client({ source: await loadKubeconfig({ path }) }),
        );
        assert.deepEqual(
          { username, uid, groups, extra },
          {
            username: 'bob',
            uid: 'u-1',
            groups: ['dev', 'of people', 'system:authenticated'],
            extra: { 'example.com/scope%': ['a', 'b'] },
          },
        );
      }),
  },
  {
    id: 'T1',
    name: 'a name beyond ASCII reaches the server as it is',
    only: { server: 'real', why: 'the sandbox takes the bytes of a header for Latin-1, not for UTF-8' },
    run: (harness) =>
      inFolder(async (folder) => {
        const path = join(folder, 'config');
        await writeFile(path, kubeconfigText(harness.cluster).replace('user: { ', 'user: { as: bjørn, '));
        assert.equal((await whoIs(harness.client({ source: await loadKubeconfig({ path }) }))).username, 'bjørn');
      }),
  },
  {
    id: 'token rotation',
    name: 'a service account whose token is replaced and whose old one is refused loses no request',
    run: (harness) =>
      inFolder(async (folder) => {
        const [, host = '', port = ''] = /^https:\/\/(.*):(\d+)$/.exec(harness.proxy.url) ?? [];
        await writeFile(join(folder, 'ca.crt'), harness.proxy.ca);
        const env = { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port };
        const client = harness.client({ source: inCluster({ env, folder }) });
        await surviveRefusals(harness.proxy, client, (token) => writeFile(join(folder, 'token'), `${token}\n`));
      }),
  },
  {
    id: 'token rotation',
    name: 'a token file that is replaced loses no request',
    run: (harness) =>
      inFolder(async (folder) => {
        const path = join(folder, 'config');
        await writeFile(path, proxied(harness, 'tokenFile: token'));
        const client = harness.client({ source: await loadKubeconfig({ path }) });
        await surviveRefusals(harness.proxy, client, (token) => writeFile(join(folder, 'token'), token));
      }),
  },
  {
    id: 'token rotation',
    name: 'a kubeconfig that is rewritten with another token loses no request',
    run: (harness) =>
      inFolder(async (folder) => {
        const path = join(folder, 'config');
        const put = (token: string): Promise<void> => writeFile(path, proxied(harness, `token: "${token}"`));
        await put(harness.proxy.issueToken());
        const client = harness.client({ source: await loadKubeconfig({ path }) });
        await surviveRefusals(harness.proxy, client, put);
      }),
  },
  {
    id: 'token rotation',
    name: 'an exec plugin is asked again when the server refuses what it gave, and no request is lost',
    run: (harness) =>
      inFolder(async (folder) => {
        const path = join(folder, 'config');
        const plugin = join(folder, 'plugin');
        const exec = 'apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never';
        await writeFile(path, proxied(harness, `exec: { ${exec} }`));
        await writeFile(plugin, `#!/bin/sh\ncat "$(dirname "$0")/answer"\n`);
        await chmod(plugin, 0o755);
        const answer = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
        const put = (token: string): Promise<void> =>
          writeFile(join(folder, 'answer'), JSON.stringify({ ...answer, status: { token } }));
        // A plugin is not called again within five seconds; time passes faster here.
        let turns = 0;
        const clock = { ...systemClock, now: () => systemClock.now() + turns * 10_000 };
        const client = harness.client({ source: await loadKubeconfig({ path, clock }) });
        await surviveRefusals(harness.proxy, client, (token) => {
          turns++;
          return put(token);
        });
      }),
  },
];
