/** Tokens of ServiceAccounts: bound ones from TokenRequest, and legacy ones in Secrets, which never expire. */
import { createHash, createPublicKey, randomUUID } from 'node:crypto';
import {
  compactVerify,
  exportPKCS8,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  importSPKI,
  SignJWT,
  type CryptoKey,
} from 'jose';
import type { User } from './api/context.ts';
import type { JsonObject } from '../values/json.ts';
import { objectAt, textAt, textsAt } from '../objects/kinds/values/fields.ts';
import { boundUser, legacyUser, TokenRefused } from './service-account-claims.ts';
import type { Store } from '../store/store.ts';

export const ISSUER = 'https://kubernetes.default.svc';
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const ALGORITHM = 'ES256';
/** How many verified tokens are cached: checking a signature costs more than an entire request. */
const REMEMBERED = 1000;

export interface TokenKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expires: Date;
}

export interface Verified {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** `BoundObject` is an object that a token is bound to. The uid is empty for a node that does not exist. */
export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}

export interface TokenSpec {
  readonly namespace: string;
  readonly account: BoundObject;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  readonly node?: BoundObject;
  /** Seconds after which use of the token would be reported, when it lives longer than requested. */
  readonly warnAfter?: number;
}

export async function createTokenKeys(): Promise<TokenKeys> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { privateKey: await exportPKCS8(privateKey), publicKey: await exportSPKI(publicKey) };
}

export class ServiceAccountTokens {
  readonly #store: Store;
  readonly #privateKey: CryptoKey;
  readonly #publicKey: CryptoKey;
  readonly #keyId: string;
  readonly #onLegacyUse: (namespace: string, secret: string) => Promise<void>;
  readonly #remembered = new Map<string, JsonObject>();

  private constructor(
    store: Store,
    keys: { private: CryptoKey; public: CryptoKey; id: string },
    onLegacyUse: (namespace: string, secret: string) => Promise<void>,
  ) {
    this.#store = store;
    this.#privateKey = keys.private;
    this.#publicKey = keys.public;
    this.#keyId = keys.id;
    this.#onLegacyUse = onLegacyUse;
  }

  /** `onLegacyUse` is called with the Secret whose token was used. */
  static async load(
    store: Store,
    keys: TokenKeys,
    onLegacyUse: (namespace: string, secret: string) => Promise<void> = async () => {},
  ): Promise<ServiceAccountTokens> {
    const loaded = {
      private: await importPKCS8(keys.privateKey, ALGORITHM),
      public: await importSPKI(keys.publicKey, ALGORITHM),
      id: keyId(keys.publicKey),
    };
    return new ServiceAccountTokens(store, loaded, onLegacyUse);
  }

  async issue(spec: TokenSpec): Promise<IssuedToken> {
    const now = Math.floor(Date.now() / 1000);
    const { namespace, account, pod, secret, node } = spec;
    const token = await this.#sign({
      aud: [...spec.audiences],
      exp: now + spec.seconds,
      iat: now,
      iss: ISSUER,
      jti: randomUUID(),
      'kubernetes.io': {
        namespace,
        ...reference('node', node),
        ...reference('pod', pod),
        ...reference('secret', secret),
        ...reference('serviceaccount', account),
        ...(spec.warnAfter === undefined ? {} : { warnafter: now + spec.warnAfter }),
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${account.name}`,
    });
    return { token, expires: new Date((now + spec.seconds) * 1000) };
  }

  issueLegacy(namespace: string, account: BoundObject, secret: string): Promise<string> {
    return this.#sign({
      iss: LEGACY_ISSUER,
      'kubernetes.io/serviceaccount/namespace': namespace,
      'kubernetes.io/serviceaccount/secret.name': secret,
      'kubernetes.io/serviceaccount/service-account.name': account.name,
      'kubernetes.io/serviceaccount/service-account.uid': account.uid,
      sub: `system:serviceaccount:${namespace}:${account.name}`,
    });
  }

  /** Resolves to undefined when the token is not ours or not valid. */
  async verify(token: string): Promise<User | undefined> {
    try {
      return (await this.review(token, [ISSUER]))?.user;
    } catch (error) {
      if (error instanceof TokenRefused) return undefined;
      throw error;
    }
  }

  /** Resolves to undefined when the token is not ours; rejects with a TokenRefused when one of ours is not valid. */
  async review(token: string, wanted: readonly string[]): Promise<Verified | undefined> {
    if (!hasOurIssuer(token)) return undefined;
    const claims = await this.#read(token);
    if (claims === undefined) return undefined;
    const given = textsAt(claims, 'aud');
    const own = given.length === 0 ? [ISSUER] : given;
    const audiences = own.filter((audience) => wanted.includes(audience));
    if (audiences.length === 0) {
      throw new TokenRefused(`token audiences ${goList(own)} is invalid for the target audiences ${goList(wanted)}`);
    }
    if (textAt(claims, 'iss') === ISSUER) return { user: boundUser(this.#store, claims), audiences };
    const { user, namespace, secret } = legacyUser(this.#store, claims, token);
    await this.#onLegacyUse(namespace, secret);
    return { user, audiences };
  }

  async #read(token: string): Promise<JsonObject | undefined> {
    const known = this.#remembered.get(token);
    if (known !== undefined) return known;
    const kid = textAt(part(token, 0), 'kid');
    if (kid !== '' && kid !== this.#keyId) throw new TokenRefused('invalid signature, no keys found');
    let claims: JsonObject;
    try {
      const { payload } = await compactVerify(token, this.#publicKey, { algorithms: [ALGORITHM] });
      claims = JSON.parse(Buffer.from(payload).toString('utf8')) as JsonObject;
    } catch {
      throw new TokenRefused('go-jose/go-jose: error in cryptographic primitive');
    }
    if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
    this.#remembered.set(token, claims);
    return claims;
  }

  #sign(claims: JsonObject): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: this.#keyId }).sign(this.#privateKey);
  }
}

function reference(kind: string, object: BoundObject | undefined): JsonObject {
  if (object === undefined) return {};
  return { [kind]: { name: object.name, ...(object.uid === '' ? {} : { uid: object.uid }) } };
}

/** Kubernetes names a key by the hash of its public half. */
function keyId(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('base64url');
}

function hasOurIssuer(token: string): boolean {
  if (token.split('.').length !== 3) return false;
  return [ISSUER, LEGACY_ISSUER].includes(textAt(part(token, 1), 'iss'));
}

/** Decodes a part of a token, which is not verified yet. */
function part(token: string, index: number): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8')) as JsonObject;
    return objectAt({ value }, 'value');
  } catch {
    return undefined;
  }
}

const goList = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
