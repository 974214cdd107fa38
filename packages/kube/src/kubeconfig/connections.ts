/** Turns a chosen context into a connection source that follows its files and plugins. */
import { defined } from '@ssvirt/base/values/defined';
import type { Connection, ConnectionSource, TlsIdentity } from '../connection.ts';
import { proxyOf, serverOf } from './address.ts';
import type { Choice } from './choose.ts';
import type { ClusterEntry } from './document.ts';
import { KubeconfigError } from './error.ts';
import type { ExecOptions } from './exec/exec-credentials.ts';
import { proxyFromEnvironment } from './environment-proxy.ts';
import { Followed } from './followed.ts';
import { impersonationHeaders } from './headers.ts';
import { combined, type Credentials, fixed, type Part } from './part.ts';
import { authorityProblem } from './pem.ts';
import { credentialsOf } from './user.ts';

type Headers = Connection['headers'];

export function connectionsOf({ cluster, user }: Choice, options: ExecOptions): ConnectionSource {
  const server = serverOf(cluster);
  const secure = server.startsWith('https:');
  const authority = authorityOf(cluster, options);
  const execCluster = async (): Promise<{ server: string; entry: ClusterEntry; authority: string | undefined }> => ({
    server,
    entry: cluster,
    authority: await authority.current(),
  });
  const proxyUrl = proxyOf(cluster) ?? proxyFromEnvironment(server, options.env ?? process.env);
  const credentials = user === undefined ? fixed<Credentials>({}) : credentialsOf(user, execCluster, options);
  return sourceOf({
    server,
    // As in client-go, no credentials over an unencrypted connection.
    authority: secure ? authority : fixed(undefined),
    credentials: secure ? credentials : fixed<Credentials>({}),
    tls: secure
      ? { ...serverNameOf(cluster), ...(cluster.insecureSkipVerify ? { insecureSkipVerify: true } : {}) }
      : {},
    headers: user === undefined ? {} : impersonationHeaders(user),
    ...defined({ proxyUrl }),
  });
}

function serverNameOf({ serverName }: ClusterEntry): Pick<TlsIdentity, 'serverName'> {
  return serverName === undefined ? {} : { serverName };
}

function authorityOf(cluster: ClusterEntry, options: ExecOptions): Part<string | undefined> {
  const { authorityFile, authorityData, insecureSkipVerify } = cluster;
  const problem = (field: string, reason: string): KubeconfigError =>
    new KubeconfigError(`${cluster.path}.${field}`, reason, cluster.file);
  if (authorityFile !== undefined && authorityData !== undefined)
    throw problem('certificate-authority-data', 'give this or certificate-authority, not both');
  if (insecureSkipVerify && (authorityFile !== undefined || authorityData !== undefined))
    throw problem('insecure-skip-tls-verify', 'it makes the certificate authority meaningless: remove one of them');
  if (authorityFile !== undefined) return followedAuthority(authorityFile, options);
  const reason = authorityData === undefined ? undefined : authorityProblem(authorityData);
  if (reason !== undefined) throw problem('certificate-authority-data', reason);
  return fixed(authorityData);
}

export function followedAuthority(
  path: string,
  { clock, log }: ExecOptions,
  otherwise?: { readonly value: undefined },
): Part<string | undefined> {
  return new Followed<string | undefined>({
    what: 'certificate authority',
    paths: [path],
    make: ([text = '']) => {
      const problem = authorityProblem(text);
      if (problem !== undefined) throw new Error(problem);
      return text;
    },
    ...defined({ otherwise, clock, log }),
  });
}

export interface ConnectionParts {
  readonly server: string;
  readonly authority: Part<string | undefined>;
  readonly credentials: Part<Credentials>;
  /** The fixed part of the TLS settings. */
  readonly tls: TlsIdentity;
  readonly headers: Headers;
  readonly proxyUrl?: string;
}

/** A changed token keeps the `tls` object, so that connection pools keyed by it survive. */
export function sourceOf(parts: ConnectionParts): ConnectionSource {
  let tls: TlsIdentity | undefined;
  const connection = combined<string | undefined, Credentials, Connection>(
    parts.authority,
    parts.credentials,
    (ca, { authorization, cert, key }) => {
      if (tls === undefined || tls.ca !== ca || tls.cert !== cert || tls.key !== key)
        tls = {
          ...parts.tls,
          ...defined({ ca }),
          ...(cert === undefined || key === undefined ? {} : { cert, key }),
        };
      return {
        server: parts.server,
        tls,
        headers: { ...defined({ Authorization: authorization }), ...parts.headers },
        ...defined({ proxyUrl: parts.proxyUrl }),
      };
    },
  );
  return {
    current: (signal) => connection.current(signal),
    async refused(refused, signal) {
      await connection.refresh(refused, signal);
      return (await connection.current(signal)) !== refused;
    },
  };
}
