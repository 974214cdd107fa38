/** A certificate for what is read by callers who want it encrypted and do not ask who vouches for it: made when the process starts, and gone with it. */
import { createAuthority } from './authority.ts';

export async function selfMadePair(name: string): Promise<{ readonly cert: string; readonly key: string }> {
  const authority = await createAuthority(name);
  const { certificate, key } = await authority.issue({ commonName: name, dnsNames: [name], server: true });
  return { cert: certificate, key };
}
