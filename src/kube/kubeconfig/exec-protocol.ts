/**
 * What is said between us and a credential plugin, in the words of client.authentication.k8s.io (v1 and v1beta1 are the same but for their names).
 * Nothing that the plugin prints on its standard output gets into a message: it is the secret.
 */
import type { ClusterEntry, ExecEntry } from './document.ts';
import { pairProblem } from './pem.ts';
import { tokenProblem } from './headers.ts';

export const EXEC_INFO = 'KUBERNETES_EXEC_INFO';

const GROUP = 'client.authentication.k8s.io';

export const EXEC_API_VERSIONS: readonly string[] = [`${GROUP}/v1`, `${GROUP}/v1beta1`];

/** What the plugin is told about the cluster when it asks for that. */
export interface ExecCluster {
  readonly server: string;
  readonly entry: ClusterEntry;
  readonly authority: string | undefined;
}

export interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Milliseconds since 1970; undefined: it holds until the server refuses it. */
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

/** Throws an error that says what is missing, without any of what is there. */
export function readCredential(output: string, apiVersion: string): ExecCredential {
  const answer = parsed(output);
  if (answer.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion)
    throw new Error(
      `it answered with something that is no ExecCredential of ${apiVersion}, as the kubeconfig wants it`,
    );
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
    // JSON.parse quotes the text that it cannot read, and that text is the secret.
  }
  throw new Error('its answer is no JSON object');
}

function text(status: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = status[field] ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`status.${field} of its answer is no text`);
  return value;
}

function credentialProblem(token?: string, cert?: string, key?: string): string | undefined {
  if (token === undefined && cert === undefined && key === undefined)
    return 'its answer holds neither a token nor a client certificate';
  if ((cert === undefined) !== (key === undefined))
    return 'its answer holds a client certificate without a key, or a key without a certificate';
  const ofToken = token === undefined ? undefined : tokenProblem(token);
  return ofToken ?? (cert === undefined || key === undefined ? undefined : pairProblem(cert, key));
}

function expiry(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT/.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(time)) throw new Error('status.expirationTimestamp of its answer is no time (RFC 3339)');
  return time;
}
