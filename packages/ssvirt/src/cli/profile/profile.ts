/** A server that the user has logged in to, with the credentials for it. */
export interface Profile {
  /** Without a trailing slash. */
  readonly url: string;
  readonly user: string;
  readonly org: string;
  /** A file with the trusted certificates, instead of those of the system. */
  readonly ca?: string;
  readonly insecure?: boolean;
  /** The session token. */
  readonly token?: string;
  /** Renews the session after it has expired. */
  readonly apiToken?: { readonly id: string; readonly secret: string };
}

export interface Profiles {
  /** The profile that is used if no other is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}
