/**
 * A kubeconfig as data: clusters, users and contexts by name. As in kubectl, only the chosen entries are checked for
 * meaning; the types of fields are checked everywhere.
 */
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { KubeconfigError, label, shown } from './error.ts';
import { Fields } from './fields.ts';

interface Entry {
  readonly name: string;
  /** The path of its fields, for messages: `users[admin].user`. */
  readonly path: string;
  readonly file: string | undefined;
}

export interface ClusterEntry extends Entry {
  readonly server: string | undefined;
  readonly authorityFile: string | undefined;
  readonly authorityData: string | undefined;
  readonly insecureSkipVerify: boolean;
  readonly serverName: string | undefined;
  readonly proxyUrl: string | undefined;
  readonly disableCompression: boolean;
  /** The cluster's config for exec plugins, from the extension of that name. */
  readonly execConfig: unknown;
}

export interface UserEntry extends Entry {
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly certificateFile: string | undefined;
  readonly certificateData: string | undefined;
  readonly keyFile: string | undefined;
  readonly keyData: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly impersonate: Impersonation;
  readonly exec: ExecEntry | undefined;
  /** The name of an auth provider that was once built into kubectl. */
  readonly authProvider: string | undefined;
}

export interface Impersonation {
  readonly user: string | undefined;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface ExecEntry {
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly apiVersion: string | undefined;
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string | undefined;
}

export interface ContextEntry extends Entry {
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly currentContext: string | undefined;
}

const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/** @param value the result of parseText; an empty document is an empty kubeconfig. */
export function readKubeconfig(value: unknown, file?: string): Kubeconfig {
  const root = new Fields(value ?? {}, '', file);
  checkKind(root);
  return {
    clusters: byName(root, 'clusters', 'cluster', readCluster),
    users: byName(root, 'users', 'user', readUser),
    contexts: byName(root, 'contexts', 'context', readContext),
    currentContext: root.text('current-context'),
  };
}

function checkKind(root: Fields): void {
  for (const [field, expected] of [
    ['apiVersion', 'v1'],
    ['kind', 'Config'],
  ] as const) {
    const value = root.text(field) ?? expected;
    if (value !== expected) throw root.error(field, `it must be ${expected}, not ${shown(value)}`);
  }
}

/** `namedFields` maps name to fields for each entry of a list of `{ name, <part>: {…} }`. */
export function namedFields(root: Fields, list: string, part: string): Map<string, Fields> {
  const found = new Map<string, Fields>();
  for (const item of root.children(list)) {
    const name = item.text('name');
    if (name === undefined) throw item.error('name', 'it is required');
    const path = `${list}[${label(name)}]`;
    if (found.has(name)) throw new KubeconfigError(path, 'there are two entries of this name', root.file);
    found.set(name, new Fields(item.raw(part) ?? {}, `${path}.${part}`, root.file));
  }
  return found;
}

function byName<E>(
  root: Fields,
  list: string,
  part: string,
  read: (name: string, fields: Fields) => E,
): ReadonlyMap<string, E> {
  return new Map(Array.from(namedFields(root, list, part), ([name, fields]) => [name, read(name, fields)]));
}

function entry(name: string, fields: Fields): Entry {
  return { name, path: fields.path, file: fields.file };
}

function readCluster(name: string, fields: Fields): ClusterEntry {
  const extension = fields.children('extensions').find((item) => item.text('name') === EXEC_EXTENSION);
  return {
    ...entry(name, fields),
    server: fields.text('server'),
    authorityFile: path(fields, 'certificate-authority'),
    authorityData: fields.decoded('certificate-authority-data'),
    insecureSkipVerify: fields.flag('insecure-skip-tls-verify'),
    serverName: fields.text('tls-server-name'),
    proxyUrl: fields.text('proxy-url'),
    disableCompression: fields.flag('disable-compression'),
    execConfig: extension?.raw('extension'),
  };
}

function readUser(name: string, fields: Fields): UserEntry {
  const exec = fields.child('exec');
  const authProvider = fields.child('auth-provider');
  return {
    ...entry(name, fields),
    token: fields.text('token'),
    tokenFile: path(fields, 'tokenFile'),
    certificateFile: path(fields, 'client-certificate'),
    certificateData: fields.decoded('client-certificate-data'),
    keyFile: path(fields, 'client-key'),
    keyData: fields.decoded('client-key-data'),
    username: fields.text('username'),
    password: fields.text('password'),
    impersonate: {
      user: fields.text('as'),
      uid: fields.text('as-uid'),
      groups: fields.texts('as-groups'),
      extra: readExtra(fields.child('as-user-extra')),
    },
    exec: exec === undefined ? undefined : readExec(exec),
    authProvider: authProvider === undefined ? undefined : (authProvider.text('name') ?? ''),
  };
}

function readExtra(fields: Fields | undefined): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries((fields?.names ?? []).map((name) => [name, fields?.texts(name) ?? []]));
}

function readExec(fields: Fields): ExecEntry {
  const command = fields.text('command');
  return {
    // A bare name is looked up on the PATH; anything else is a path relative to the kubeconfig.
    command: command?.includes('/') === true ? path(fields, 'command') : command,
    args: fields.texts('args'),
    env: fields.children('env').map((item) => ({ name: item.text('name') ?? '', value: item.text('value') ?? '' })),
    apiVersion: fields.text('apiVersion'),
    installHint: fields.text('installHint'),
    provideClusterInfo: fields.flag('provideClusterInfo'),
    interactiveMode: fields.text('interactiveMode'),
  };
}

function readContext(name: string, fields: Fields): ContextEntry {
  return {
    ...entry(name, fields),
    cluster: fields.text('cluster'),
    user: fields.text('user'),
    namespace: fields.text('namespace'),
  };
}

/** Paths are relative to the file that contains them. */
function path(fields: Fields, name: string): string | undefined {
  const value = fields.text(name);
  if (value === undefined || isAbsolute(value) || fields.file === undefined) return value;
  return join(resolve(dirname(fields.file)), value);
}
