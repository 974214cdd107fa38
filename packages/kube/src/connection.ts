/**
 * `Connection` says how to reach a cluster: kubeconfig/ produces it, transport/ uses it. It is requested before each
 * API request, because tokens, certificates and authorities rotate at run time; returning an unchanged one must cost
 * nothing.
 */

export interface TlsIdentity {
  /** PEM; the default is the system's authorities. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must match, if it is not the host of the URL. */
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
}

export interface Connection {
  /** `https://host:port/prefix`, without a trailing slash. */
  readonly server: string;
  readonly tls: TlsIdentity;
  readonly proxyUrl?: string;
  /** Authorization and Impersonate-*; a list means a repeated header. Never logged. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

export interface ConnectionSource {
  /** Resolves to the current connection. Rejects with a KubeError of kind `Credentials` if it cannot be obtained. */
  current(signal?: AbortSignal): Promise<Connection>;
  /**
   * Reports that the server answered 401 to this connection. Resolves to true when a retry with fresh credentials makes
   * sense.
   */
  refused(connection: Connection, signal?: AbortSignal): Promise<boolean>;
}
