/** The controller of ServiceAccount token Secrets: adds the token, and deletes the Secret when its account is gone. */
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { ensureObject, listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { ServiceAccountTokens } from '../../server/service-account-tokens.ts';
import { entryKey, parseEntry, type Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { StoreEvent } from '../../store/table.ts';
import type { LocalClient } from './client.ts';
import { WorkQueue } from './work-queue.ts';

const TYPE = 'kubernetes.io/service-account-token';
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const SECRETS = '/secrets';
const ACCOUNTS = '/serviceaccounts';

export interface TokenSecretsDeps {
  readonly store: Store;
  readonly client: LocalClient;
  readonly tokens: ServiceAccountTokens;
  /** The certificate authority that clients of the API server must trust. */
  readonly authority: string;
}

export class TokenSecretsController {
  readonly #deps: TokenSecretsDeps;
  readonly #authority: string;
  readonly #queue: WorkQueue;
  readonly #stops: (() => void)[];

  constructor(deps: TokenSecretsDeps, onError: (error: unknown, key: string) => void) {
    this.#deps = deps;
    this.#authority = base64(deps.authority);
    this.#queue = new WorkQueue((key) => this.#reconcile(key), onError);
    for (const entry of deps.store.table(SECRETS).range('')) if (isToken(entry)) this.#queue.add(entry.key);
    this.#stops = [
      deps.store.listenTo(SECRETS, (event) => this.#onSecret(event)),
      deps.store.listenTo(ACCOUNTS, ({ type, entry }) => {
        if (type === 'DELETED') this.#recheck(entry.namespace);
      }),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#queue.stop();
  }

  #onSecret({ type, entry }: StoreEvent): void {
    if (!isToken(entry)) return;
    // The key contains the account, because the deleted Secret can no longer be read.
    if (type === 'DELETED') this.#queue.add(`${entry.key}/${annotation(parseEntry(entry), ACCOUNT_NAME)}`);
    else this.#queue.add(entry.key);
  }

  #recheck(namespace: string): void {
    for (const entry of this.#deps.store.table(SECRETS).range(`${namespace}/`))
      if (isToken(entry)) this.#queue.add(entry.key);
  }

  async #reconcile(key: string): Promise<void> {
    const [namespace = '', name = '', account] = key.split('/');
    if (account !== undefined) return this.#dropReference(namespace, account, name);
    const entry = this.#deps.store.table(SECRETS).get(key);
    if (entry === undefined || !isToken(entry)) return;
    const secret = parseEntry(entry);
    const owner = this.#deps.store.table(ACCOUNTS).get(entryKey(namespace, annotation(secret, ACCOUNT_NAME)));
    const uid = annotation(secret, ACCOUNT_UID);
    if (owner === undefined || (uid !== '' && uid !== owner.uid)) await this.#delete(secret);
    else if (this.#isLacking(secret)) await this.#fill(secret, owner);
  }

  #isLacking(secret: KubeObject): boolean {
    const data = objectAt(secret, 'data');
    return (
      textAt(data, 'ca.crt') !== this.#authority || textAt(data, 'namespace') === '' || textAt(data, 'token') === ''
    );
  }

  async #fill(secret: KubeObject, owner: Entry): Promise<void> {
    const { namespace = '', name = '', uid } = secret.metadata;
    const token = await this.#deps.tokens.issueLegacy(namespace, owner, name);
    await this.#deps.client.update(this.#deps.client.builtin('', 'v1', 'secrets'), namespace, name, (live) => {
      if (live.metadata.uid !== uid || !this.#isLacking(live)) return false;
      const data = ensureObject(live, 'data');
      data['ca.crt'] = this.#authority;
      if (textAt(data, 'namespace') === '') data['namespace'] = base64(namespace);
      if (textAt(data, 'token') === '') data['token'] = base64(token);
      live.metadata.annotations = {
        ...live.metadata.annotations,
        [ACCOUNT_NAME]: owner.name,
        [ACCOUNT_UID]: owner.uid,
      };
      return true;
    });
  }

  async #delete({ metadata }: KubeObject): Promise<void> {
    const { namespace = '', name = '', uid } = metadata;
    const options = uid === undefined ? {} : { uid };
    await this.#deps.client.delete(this.#deps.client.builtin('', 'v1', 'secrets'), namespace, name, options);
  }

  /** Removes a deleted Secret from the account that lists it. */
  async #dropReference(namespace: string, account: string, secret: string): Promise<void> {
    if (this.#deps.store.table(SECRETS).get(entryKey(namespace, secret)) !== undefined) return;
    const names = ({ name }: JsonObject): boolean => name === secret;
    await this.#deps.client.update(
      this.#deps.client.builtin('', 'v1', 'serviceaccounts'),
      namespace,
      account,
      (live) => {
        const listed = listAt(live, 'secrets');
        if (!listed.some(names)) return false;
        const kept = listed.filter((item) => !names(item));
        if (kept.length === 0) delete live['secrets'];
        else live['secrets'] = kept;
        return true;
      },
    );
  }
}

/** The API server records the day of the last use of a Secret's token. */
export async function markTokenUsed(
  store: Store,
  client: LocalClient,
  namespace: string,
  secret: string,
): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  if (store.table(SECRETS).get(entryKey(namespace, secret))?.labels?.[LAST_USED] === today) return;
  await client.update(client.builtin('', 'v1', 'secrets'), namespace, secret, ({ metadata }) => {
    metadata.labels = { ...metadata.labels, [LAST_USED]: today };
    return true;
  });
}

/** Searches the text before parsing, because few Secrets have this type. */
const isToken = (entry: Entry): boolean =>
  entry.json.includes(`"${TYPE}"`) && textAt(parseEntry(entry), 'type') === TYPE;

const annotation = (object: KubeObject, name: string): string => object.metadata.annotations?.[name] ?? '';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
