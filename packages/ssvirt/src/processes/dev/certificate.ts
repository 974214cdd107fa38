/** The certificate of the local API, from an authority of its own that clients are given. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createAuthority, loadAuthority, type Authority } from '@ssvirt/base/tls/authority';
import type { Folder } from './folder.ts';

/** The authority is kept, so that a client has to trust it only once. */
export async function makeCertificate(folder: Folder, host: string): Promise<void> {
  const authority = await readOrCreateAuthority(folder);
  const { certificate, key } = await authority.issue({
    // The name differs from that of the authority: with the same name it would look self-signed.
    commonName: 'localhost',
    server: true,
    dnsNames: ['localhost', ...(isIP(host) === 0 && host !== 'localhost' ? [host] : [])],
    addresses: [...new Set(['127.0.0.1', '::1', ...(isIP(host) === 0 ? [] : [host])])],
  });
  writeFileSync(folder.certificate, certificate);
  writeSecret(folder.key, key);
}

async function readOrCreateAuthority({ ca, caKey }: Folder): Promise<Authority> {
  if (existsSync(ca) && existsSync(caKey))
    return loadAuthority({ certificate: readFileSync(ca, 'utf8'), key: readFileSync(caKey, 'utf8') });
  const authority = await createAuthority('ssvirt dev');
  writeSecret(caKey, authority.key);
  writeFileSync(ca, authority.certificate);
  return authority;
}

function writeSecret(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}
