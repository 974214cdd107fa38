/**
 * A serving certificate from a throwaway authority, for endpoints whose callers want encryption but do not verify the
 * issuer. It is created when the process starts, and lost when the process ends.
 */
import { createAuthority } from './authority.ts';

export async function selfMadePair(name: string): Promise<{ readonly cert: string; readonly key: string }> {
  const authority = await createAuthority(name);
  const { certificate, key } = await authority.issue({ commonName: name, dnsNames: [name], server: true });
  return { cert: certificate, key };
}
