/**
 * The protocol of credential plugins: client.authentication.k8s.io, whose v1 and v1beta1 differ only in name. Error
 * messages never contain the plugin's standard output, which is the secret.
 */
import type { ClusterEntry, ExecEntry } from '../document.ts';
import { pairProblem } from '../pem.ts';
import { tokenProblem } from '../headers.ts';

export const EXEC_INFO = 'KUBERNETES_EXEC_INFO';

const GROUP = 'client.authentication.k8s.io';

export const EXEC_API_VERSIONS: readonly string[] = [`${GROUP}/v1`, `${GROUP}/v1beta1`];

/** `ExecCluster` is what a plugin learns about the cluster when its entry asks for it. */
export interface ExecCluster {
  readonly server: string;
  readonly entry: ClusterEntry;
  readonly authority: string | undefined;
}

export interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Milliseconds since 1970; undefined: valid until the server refuses it. */
  readonly expiresAt: number | undefined;
}

export function execInfo(exec: ExecEntry, interactive: boolean, cluster: ExecCluster): string {
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: { ...(exec.provideClusterInfo ? { cluster: clusterInfo(cluster) } : {}), interactive },
  });
}

function clusterInfo({ server, entry, authority }: ExecCluster): object {
  return {
    server,
    'tls-server-name': entry.serverName,
    'insecure-skip-tls-verify': entry.insecureSkipVerify || undefined,
    'certificate-authority-data': authority === undefined ? undefined : Buffer.from(authority).toString('base64'),
    'proxy-url': entry.proxyUrl,
    'disable-compression': entry.disableCompression || undefined,
    config: entry.execConfig ?? null,
  };
}

interface Answer {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly status?: Readonly<Record<string, unknown>> | null;
}

/** `readCredential` throws an error that says what is missing, without quoting the output. */
export function readCredential(output: string, apiVersion: string): ExecCredential {
  const answer = parsed(output);
  if (answer.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion)
    throw new Error(`its answer is not an ExecCredential of ${apiVersion}, which the kubeconfig requires`);
  const status = answer.status ?? undefined;
  if (status === undefined) throw new Error('its answer has no status');
  const token = text(status, 'token');
  const cert = text(status, 'clientCertificateData');
  const key = text(status, 'clientKeyData');
  const problem = credentialProblem(token, cert, key);
  if (problem !== undefined) throw new Error(problem);
  return { token, cert, key, expiresAt: expiry(text(status, 'expirationTimestamp')) };
}

function parsed(output: string): Answer {
  try {
    const answer: unknown = JSON.parse(output);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // The message of JSON.parse quotes the text, which is the secret.
  }
  throw new Error('its answer is not a JSON object');
}

function text(status: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = status[field] ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`status.${field} of its answer is not a string`);
  return value;
}

function credentialProblem(token?: string, cert?: string, key?: string): string | undefined {
  if (token === undefined && cert === undefined && key === undefined)
    return 'its answer contains neither a token nor a client certificate';
  if ((cert === undefined) !== (key === undefined))
    return 'its answer contains a client certificate without a key, or a key without a certificate';
  const ofToken = token === undefined ? undefined : tokenProblem(token);
  return ofToken ?? (cert === undefined || key === undefined ? undefined : pairProblem(cert, key));
}

function expiry(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT/.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(time)) throw new Error('status.expirationTimestamp of its answer is not an RFC 3339 time');
  return time;
}
