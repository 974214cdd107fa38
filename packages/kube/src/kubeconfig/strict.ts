/**
 * `strictKubeconfig` reads a kubeconfig from a Secret. Its author need not be trusted, so it may contain data only:
 * nothing that runs a program, reads a local file, or allows interception. Any field that is not on the list is refused
 * by name, in every context.
 */
import { namedFields, readKubeconfig } from './document.ts';
import { KubeconfigError } from './error.ts';
import type { ExecOptions } from './exec/exec-credentials.ts';
import { Fields } from './fields.ts';
import { type KubeconfigSource, kubeconfigSource } from './source.ts';
import { parseText } from './text.ts';

export interface StrictOptions extends Pick<ExecOptions, 'env'> {
  /** The context to use instead of the current one. */
  readonly context?: string;
  /** Accept `insecure-skip-tls-verify`, for clusters that do not have a certificate yet. */
  readonly allowInsecure?: boolean;
}

/** About 2,000 lines: far more than one cluster needs, and parsed quickly. */
const mostTokens = 20_000;

const ALLOWED: Readonly<Record<'cluster' | 'user' | 'context', readonly string[]>> = {
  cluster: [
    'server',
    'certificate-authority-data',
    'tls-server-name',
    'proxy-url',
    'insecure-skip-tls-verify',
    'disable-compression',
    'extensions',
  ],
  user: ['token', 'client-certificate-data', 'client-key-data', 'extensions'],
  context: ['cluster', 'user', 'namespace', 'extensions'],
};

const INSTEAD: Readonly<Record<string, string>> = {
  exec: 'exec plugins are not allowed in a Secret, because they would run here: give a token or a client certificate',
  'auth-provider': 'auth providers are not allowed: give a token or a client certificate',
  tokenFile: 'files are not read for a Secret: put the token itself into token',
  'client-certificate': 'files are not read for a Secret: put the certificate into client-certificate-data, in base64',
  'client-key': 'files are not read for a Secret: put the key into client-key-data, in base64',
  'certificate-authority':
    'files are not read for a Secret: put the authority into certificate-authority-data, in base64',
  username: 'Kubernetes no longer supports passwords: give a token or a client certificate',
  password: 'Kubernetes no longer supports passwords: give a token or a client certificate',
};

export function strictKubeconfig(text: string, options: StrictOptions = {}): KubeconfigSource {
  const value = parseText(text, { mostTokens });
  if (value === null || value === undefined || value === '')
    throw new KubeconfigError('', 'it is empty: put a kubeconfig there');
  checkFields(new Fields(value, ''), options.allowInsecure ?? false);
  const kubeconfig = readKubeconfig(value);
  const source = kubeconfigSource(kubeconfig, options.context, options);
  checkChosen(source, kubeconfig);
  return source;
}

function checkFields(root: Fields, allowInsecure: boolean): void {
  for (const part of ['cluster', 'user', 'context'] as const)
    for (const fields of namedFields(root, `${part}s`, part).values()) {
      for (const name of fields.names)
        if (!ALLOWED[part].includes(name)) throw fields.error(fieldName(name), insteadOf(name, part));
      if (part === 'cluster' && !allowInsecure && fields.flag('insecure-skip-tls-verify'))
        throw fields.error(
          'insecure-skip-tls-verify',
          'anyone on the network path could take the credentials: remove it and give certificate-authority-data, or tls-server-name',
        );
    }
}

/** In broken YAML, a value may have become the name of a field. */
function fieldName(name: string): string {
  return /^[A-Za-z-]{1,40}$/.test(name) ? name : '(a field)';
}

function insteadOf(name: string, part: keyof typeof ALLOWED): string {
  // A field may be called `constructor`.
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
  if (instead !== undefined) return instead;
  if (/^as(?:-|$)/.test(name)) return 'impersonation is not allowed: grant the user itself the permissions it needs';
  return `it is not supported; supported are ${ALLOWED[part].join(', ')}`;
}

/** Requirements beyond those of any kubeconfig. */
function checkChosen(source: KubeconfigSource, kubeconfig: ReturnType<typeof readKubeconfig>): void {
  const context = kubeconfig.contexts.get(source.context ?? '');
  const cluster = kubeconfig.clusters.get(context?.cluster ?? '');
  const user = kubeconfig.users.get(context?.user ?? '');
  if (cluster?.server?.startsWith('https://') !== true)
    throw new KubeconfigError(`${cluster?.path}.server`, 'it must begin with https://');
  if (user === undefined)
    throw new KubeconfigError(`${context?.path}.user`, 'it is required, with a token or a client certificate');
  if (user.token === undefined && user.certificateData === undefined)
    throw new KubeconfigError(user.path, 'it must have a token, or client-certificate-data and client-key-data');
  if (!/^(?!-)[a-z\d-]{1,63}(?<!-)$/.test(source.namespace))
    throw new KubeconfigError(
      `${context?.path}.namespace`,
      'it must be a name of lower-case letters, digits and dashes',
    );
}
