/**
 * How a cluster is reached, as kubeconfig/ finds it out and transport/ uses it. It is asked for before each request, since tokens, certificates
 * and authorities are rotated while we run; an unchanged one must cost nothing.
 */

export interface TlsIdentity {
  /** PEM; absent means the system's authorities. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must bear, where it is not the host of the URL. */
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
}

export interface Connection {
  /** `https://host:port/prefix`, without a slash at the end. */
  readonly server: string;
  readonly tls: TlsIdentity;
  readonly proxyUrl?: string;
  /** Authorization and Impersonate-*; a list stands for a header that is sent several times. Never logged. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

export interface ConnectionSource {
  /** What is in force now. Rejects with an ApiError of kind `Credentials` where it cannot be had. */
  current(signal?: AbortSignal): Promise<Connection>;
  /** The server answered 401 to this one. Resolves to true when another attempt with fresh credentials makes sense. */
  refused(connection: Connection, signal?: AbortSignal): Promise<boolean>;
}
