/** The identity of a sandbox: its certificate authority, serving certificate, administrator and signing keys. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAuthority, loadAuthority, type Authority, type KeyPair } from '@ssvirt/base/tls/authority';
import { StartError, systemWords } from '../cli/start-error.ts';
import { createTokenKeys, type TokenKeys } from './service-account-tokens.ts';

export interface Identity {
  readonly authority: Authority;
  readonly serving: KeyPair;
  readonly administrator: KeyPair;
  readonly token: string;
  readonly tokenKeys: TokenKeys;
}

export interface IdentityOptions {
  readonly host: string;
  /** The folder for the identity, so that a kubeconfig stays valid over restarts. */
  readonly data?: string;
  /** A fixed token for the administrator. */
  readonly token?: string;
}

interface Stored {
  readonly authority: KeyPair;
  readonly administrator: KeyPair;
  readonly token: string;
  readonly tokenKeys: TokenKeys;
}

interface Known {
  readonly stored: Stored;
  readonly authority: Authority;
}

export async function loadIdentity(options: IdentityOptions): Promise<Identity> {
  const file = options.data === undefined ? undefined : join(options.data, 'identity.json');
  const { stored, authority } = file !== undefined && existsSync(file) ? await read(file) : await create();
  const identity = { ...stored, token: options.token ?? stored.token };
  if (file !== undefined) save(file, identity);
  const serving = await authority.issue({
    commonName: 'kube-apiserver',
    server: true,
    dnsNames: [
      'localhost',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
    ],
    addresses: [...new Set(['127.0.0.1', '::1', options.host].filter((name) => /^[\d.]+$|:/.test(name)))],
  });
  return { ...identity, authority, serving };
}

/** A damaged identity is not replaced: clients would not trust the new one. */
async function read(file: string): Promise<Known> {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Stored;
    return { stored, authority: await loadAuthority(stored.authority) };
  } catch (cause) {
    const advice = 'restore a good copy, or delete the folder to start over';
    throw new StartError(`cannot read "${file}": ${systemWords(cause)}; ${advice}`, { cause });
  }
}

async function create(): Promise<Known> {
  const authority = await createAuthority('ssvirt-sandbox');
  const administrator = await authority.issue({ commonName: 'kubernetes-admin', organizations: ['system:masters'] });
  const stored = {
    authority: { certificate: authority.certificate, key: authority.key },
    administrator,
    token: randomBytes(24).toString('base64url'),
    tokenKeys: await createTokenKeys(),
  };
  return { stored, authority };
}

/** Written to a second file and renamed, so that a crash leaves the old file or the new one. */
function save(file: string, stored: Stored): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const { authority, administrator, token, tokenKeys } = stored;
  writeFileSync(
    `${file}.new`,
    JSON.stringify({
      authority: { certificate: authority.certificate, key: authority.key },
      administrator,
      token,
      tokenKeys,
    }),
    { mode: 0o600 },
  );
  renameSync(`${file}.new`, file);
}
