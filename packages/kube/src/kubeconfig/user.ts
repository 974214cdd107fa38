/** The credentials of a kubeconfig user, as parts that follow files or run a plugin. */
import { defined } from '@ssvirt/base/values/defined';
import type { UserEntry } from './document.ts';
import { KubeconfigError, shown } from './error.ts';
import { ExecCredentials, type ExecOptions } from './exec/exec-credentials.ts';
import { EXEC_API_VERSIONS, type ExecCluster } from './exec/exec-protocol.ts';
import { Followed } from './followed.ts';
import { basic, bearer, tokenProblem } from './headers.ts';
import { combined, type Credentials, fixed, type Part } from './part.ts';
import { pairProblem } from './pem.ts';

interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** @param cluster what a plugin learns about the cluster; called only when one runs. */
export function credentialsOf(
  user: UserEntry,
  cluster: () => Promise<ExecCluster>,
  options: ExecOptions,
): Part<Credentials> {
  checkUser(user);
  const authorization = authorizationOf(user, options);
  const pair = pairOf(user, options);
  // As in kubectl, a plugin is used only when the user has no other credentials.
  if (user.exec !== undefined && authorization === undefined && pair === undefined)
    return new ExecCredentials(user.exec, cluster, options);
  const nothing = fixed(undefined);
  return combined<string | undefined, Pair | undefined, Credentials>(
    authorization ?? nothing,
    pair ?? nothing,
    (header, own) => ({ ...defined({ authorization: header }), ...own }),
  );
}

function checkUser(user: UserEntry): void {
  const problem = (field: string, reason: string): KubeconfigError =>
    new KubeconfigError(`${user.path}.${field}`, reason, user.file);
  if (user.authProvider !== undefined) throw problem('auth-provider', providerReason(user.authProvider));
  if (user.token !== undefined && (user.username !== undefined || user.password !== undefined))
    throw problem('token', 'give a token or username and password, not both');
  if (user.certificateFile !== undefined && user.certificateData !== undefined)
    throw problem('client-certificate-data', 'give this or client-certificate, not both');
  if (user.keyFile !== undefined && user.keyData !== undefined)
    throw problem('client-key-data', 'give this or client-key, not both');
  if (certificateOf(user) && user.keyFile === undefined && user.keyData === undefined)
    throw problem('client-key-data', 'it (or client-key) is required with a client certificate');
  if (user.exec !== undefined) checkExec(user, problem);
}

/** Auth providers that were once built into kubectl. For each, a plugin does the same. */
function providerReason(name: string): string {
  const successors: Readonly<Record<string, string>> = {
    gcp: 'gke-gcloud-auth-plugin',
    azure: 'kubelogin (convert-kubeconfig)',
    oidc: 'kubelogin (oidc-login)',
  };
  const successor =
    (Object.hasOwn(successors, name) ? successors[name] : undefined) ?? 'a credential plugin of its vendor';
  return `the auth provider ${shown(name)} is not supported: use ${successor} under exec, or a token`;
}

function checkExec(user: UserEntry, problem: (field: string, reason: string) => KubeconfigError): void {
  const { exec } = user;
  if (exec?.command === undefined) throw problem('exec.command', 'it is required');
  if (exec.apiVersion === undefined || !EXEC_API_VERSIONS.includes(exec.apiVersion))
    throw problem('exec.apiVersion', `it must be ${EXEC_API_VERSIONS.join(' or ')}: update the plugin and its entry`);
  if (exec.env.some(({ name }) => name === '')) throw problem('exec.env', 'each entry must have a name');
  // v1beta1 does not require the field.
  const mode = exec.interactiveMode ?? (exec.apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : undefined);
  if (mode === undefined || !['Never', 'IfAvailable', 'Always'].includes(mode))
    throw problem('exec.interactiveMode', 'it must be Never, IfAvailable or Always');
}

function authorizationOf(user: UserEntry, options: ExecOptions): Part<string> | undefined {
  const { token, tokenFile } = user;
  // A token beside a token file is used until the file can be read.
  if (tokenFile !== undefined)
    return new Followed({
      what: 'token file',
      paths: [tokenFile],
      make: ([text = '']) => bearer(checkedToken(text.trim())),
      ...(token === undefined ? {} : { otherwise: { value: bearer(inlineToken(user, token)) } }),
      ...following(options),
    });
  if (token !== undefined) return fixed(bearer(inlineToken(user, token)));
  return user.username === undefined ? undefined : fixed(basic(user.username, user.password ?? ''));
}

function inlineToken(user: UserEntry, token: string): string {
  const problem = tokenProblem(token);
  if (problem !== undefined) throw new KubeconfigError(`${user.path}.token`, problem, user.file);
  return token;
}

function checkedToken(token: string): string {
  const problem = tokenProblem(token);
  if (problem !== undefined) throw new Error(problem);
  return token;
}

function certificateOf(user: UserEntry): boolean {
  return user.certificateFile !== undefined || user.certificateData !== undefined;
}

function pairOf(user: UserEntry, options: ExecOptions): Part<Pair> | undefined {
  if (!certificateOf(user)) return undefined;
  const { certificateFile, keyFile, certificateData = '', keyData = '' } = user;
  const paths = [certificateFile, keyFile].filter((path) => path !== undefined);
  if (paths.length === 0) {
    const problem = pairProblem(certificateData, keyData);
    if (problem !== undefined) throw new KubeconfigError(`${user.path}.client-certificate-data`, problem, user.file);
    return fixed({ cert: certificateData, key: keyData });
  }
  return new Followed({
    what: 'client certificate',
    paths,
    make: (texts) => {
      const rest = [...texts];
      const cert = certificateFile === undefined ? certificateData : (rest.shift() ?? '');
      const key = keyFile === undefined ? keyData : (rest.shift() ?? '');
      const problem = pairProblem(cert, key);
      if (problem !== undefined) throw new Error(problem);
      return { cert, key };
    },
    ...following(options),
  });
}

function following({ clock, log }: ExecOptions): Pick<ExecOptions, 'clock' | 'log'> {
  return defined({ clock, log });
}
