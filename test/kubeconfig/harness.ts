/** The harness for tests of kubeconfigs: a folder, certificates, credential plugins that are real programs. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { createAuthority, type KeyPair } from '../../packages/base/src/tls/authority.ts';

export interface Folder {
  readonly path: string;
  at(name: string): string;
  write(name: string, content: string | object): Promise<string>;
  /** A shell script that records its input (a line in `runs`), then runs the body. */
  plugin(body: string, name?: string): Promise<string>;
  /** The input of each run of the plugin, in order. */
  runs(): Promise<readonly ExecInfo[]>;
}

export interface ExecInfo {
  readonly kind: string;
  readonly apiVersion: string;
  readonly spec: { readonly interactive: boolean; readonly cluster?: Readonly<Record<string, unknown>> };
}

export async function throwAwayFolder(test: { after(end: () => Promise<void>): void }): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  test.after(() => rm(path, { recursive: true, force: true }));
  const at = (name: string): string => join(path, name);
  const write = async (name: string, content: string | object): Promise<string> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), typeof content === 'string' ? content : stringify(content));
    return at(name);
  };
  return {
    path,
    at,
    write,
    async plugin(body, name = 'plugin') {
      const file = await write(name, `#!/bin/sh\nprintf '%s\\n' "$KUBERNETES_EXEC_INFO" >> '${at('runs')}'\n${body}\n`);
      await chmod(file, 0o755);
      return file;
    },
    async runs() {
      const text = await readFile(at('runs'), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as ExecInfo);
    },
  };
}

export interface Identities {
  readonly authority: string;
  readonly otherAuthority: string;
  readonly first: KeyPair;
  readonly second: KeyPair;
}

let made: Promise<Identities> | undefined;

/** Two authorities and two client certificates, created once. */
export function identities(): Promise<Identities> {
  made ??= makeIdentities();
  return made;
}

async function makeIdentities(): Promise<Identities> {
  const [authority, other] = [await createAuthority('first'), await createAuthority('second')];
  return {
    authority: authority.certificate,
    otherAuthority: other.certificate,
    first: await authority.issue({ commonName: 'first-user' }),
    second: await authority.issue({ commonName: 'second-user' }),
  };
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

export interface SimpleKubeconfig {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}

/** One cluster, one user, one context. */
export function simple({ cluster, user, context }: SimpleKubeconfig = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'east', cluster: { server: 'https://east.example:6443', ...cluster } }],
    users: [{ name: 'ann', user: user ?? { token: 'token-of-ann' } }],
    contexts: [{ name: 'work', context: { cluster: 'east', user: 'ann', ...context } }],
    'current-context': 'work',
  };
}
