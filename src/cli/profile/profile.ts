/** A server that somebody logged in to, and what opens it again. */
export interface Profile {
  /** Without a slash at the end. */
  readonly url: string;
  readonly user: string;
  readonly org: string;
  /** A file with the certificates that are believed, in place of those of the system. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** Of the session. */
  readonly token?: string;
  /** Renews the session when it has ended. */
  readonly apiToken?: { readonly id: string; readonly secret: string };
}

export interface Profiles {
  /** The name of the one that is used unless another is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}
