/**
 * Kubeconfigs that come from a Secret. Whoever may write that Secret decides what is in it, so it may hold data only: nothing that runs a program,
 * reads a file of ours, or lets somebody in the middle listen. What is not on the list is refused by name, whichever context is in use.
 */
import { namedFields, readKubeconfig } from './document.ts';
import { KubeconfigError } from './error.ts';
import type { ExecOptions } from './exec-credentials.ts';
import { Fields } from './fields.ts';
import { type KubeconfigSource, kubeconfigSource } from './source.ts';
import { parseText } from './text.ts';

export interface StrictOptions extends Pick<ExecOptions, 'env'> {
  /** The context to use instead of the current one. */
  readonly context?: string;
  /** For clusters on the way to a certificate: accept `insecure-skip-tls-verify`. */
  readonly allowInsecure?: boolean;
}

/** Some 2,000 lines: far beyond what one cluster needs, and parsed within a moment. */
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
  exec: 'exec plugins are not allowed in a Secret, since they would run here: give a token or a client certificate',
  'auth-provider': 'auth providers are not allowed: give a token or a client certificate',
  tokenFile: 'files are not read for a Secret: put the token itself into token',
  'client-certificate': 'files are not read for a Secret: put the certificate into client-certificate-data, in base64',
  'client-key': 'files are not read for a Secret: put the key into client-key-data, in base64',
  'certificate-authority':
    'files are not read for a Secret: put the authority into certificate-authority-data, in base64',
  username: 'Kubernetes knows no passwords any more: give a token or a client certificate',
  password: 'Kubernetes knows no passwords any more: give a token or a client certificate',
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
          'anybody on the way could take the credentials: remove it and give certificate-authority-data, or tls-server-name',
        );
    }
}

/** Where the YAML is broken, a value may have become the name of a field. */
function fieldName(name: string): string {
  return /^[A-Za-z-]{1,40}$/.test(name) ? name : '(a field)';
}

function insteadOf(name: string, part: keyof typeof ALLOWED): string {
  // A field may be called `constructor`.
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
  if (instead !== undefined) return instead;
  if (/^as(?:-|$)/.test(name)) return 'impersonation is not allowed: give the user itself the rights that it needs';
  return `it is not known here; known are ${ALLOWED[part].join(', ')}`;
}

/** What must be there, beyond what any kubeconfig must have. */
function checkChosen(source: KubeconfigSource, kubeconfig: ReturnType<typeof readKubeconfig>): void {
  const context = kubeconfig.contexts.get(source.context ?? '');
  const cluster = kubeconfig.clusters.get(context?.cluster ?? '');
  const user = kubeconfig.users.get(context?.user ?? '');
  if (cluster?.server?.startsWith('https://') !== true)
    throw new KubeconfigError(`${cluster?.path}.server`, 'it must begin with https://');
  if (user === undefined)
    throw new KubeconfigError(`${context?.path}.user`, 'it must be given, with a token or a client certificate');
  if (user.token === undefined && user.certificateData === undefined)
    throw new KubeconfigError(user.path, 'it must have a token, or client-certificate-data and client-key-data');
  if (!/^(?!-)[a-z\d-]{1,63}(?<!-)$/.test(source.namespace))
    throw new KubeconfigError(`${context?.path}.namespace`, 'it must be a name of small letters, digits and dashes');
}
