/** Tokens of ServiceAccounts: signed when asked for through TokenRequest, verified on every use. */
import { randomUUID } from 'node:crypto';
import { exportPKCS8, generateKeyPair, importPKCS8, importSPKI, exportSPKI, jwtVerify, SignJWT, type CryptoKey } from 'jose';
import type { User } from './api/context.ts';
import type { Store } from './store/store.ts';

export const ISSUER = 'https://kubernetes.default.svc';
const ALGORITHM = 'ES256';

export interface TokenKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expires: Date;
}

export async function createTokenKeys(): Promise<TokenKeys> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { privateKey: await exportPKCS8(privateKey), publicKey: await exportSPKI(publicKey) };
}

export class ServiceAccountTokens {
  readonly #store: Store;
  readonly #privateKey: CryptoKey;
  readonly #publicKey: CryptoKey;

  private constructor(store: Store, privateKey: CryptoKey, publicKey: CryptoKey) {
    this.#store = store;
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  static async load(store: Store, keys: TokenKeys): Promise<ServiceAccountTokens> {
    return new ServiceAccountTokens(store, await importPKCS8(keys.privateKey, ALGORITHM), await importSPKI(keys.publicKey, ALGORITHM));
  }

  async issue(namespace: string, name: string, uid: string, audiences: readonly string[], seconds: number): Promise<IssuedToken> {
    const now = Math.floor(Date.now() / 1000);
    const token = await new SignJWT({ 'kubernetes.io': { namespace, serviceaccount: { name, uid } } })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(ISSUER)
      .setAudience([...audiences])
      .setSubject(`system:serviceaccount:${namespace}:${name}`)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + seconds)
      .setJti(randomUUID())
      .sign(this.#privateKey);
    return { token, expires: new Date((now + seconds) * 1000) };
  }

  /** Undefined when the token is not ours, has expired, or its ServiceAccount is gone. */
  async verify(token: string): Promise<User | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#publicKey, { issuer: ISSUER, audience: ISSUER });
      const bound = payload['kubernetes.io'] as { namespace: string; serviceaccount: { name: string; uid: string } };
      const { namespace, serviceaccount } = bound;
      const entry = this.#store.table('/serviceaccounts').get(`${namespace}/${serviceaccount.name}`);
      if (entry?.uid !== serviceaccount.uid) return undefined;
      return {
        name: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
        uid: serviceaccount.uid,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${payload.jti ?? ''}`] },
      };
    } catch {
      return undefined;
    }
  }
}
