/** ServiceAccount: every pod runs under an existing account, with its token mounted at a well-known path. */
import { randomInt } from 'node:crypto';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { ensureObject, listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { entryKey } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { limitSecretReferences } from './mountable-secrets.ts';
import { refuse } from './refusal.ts';
import { isCore, stored } from './stored.ts';

const TABLE = '/serviceaccounts';
const VOLUME = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const MIRROR = 'kubernetes.io/config.mirror';
const TOKEN_SECONDS = 3607;
/** How long a pod waits for the default account of a new namespace, in milliseconds. */
const PATIENCE = 1500;

export function serviceAccount(store: Store): AdmissionPlugin {
  const concerns = (request: AdmissionRequest): request is AdmissionRequest & { object: KubeObject } =>
    isCore(request, 'pods') && request.operation === 'CREATE' && request.object !== undefined;
  return {
    name: 'ServiceAccount',
    mutate(request) {
      if (!concerns(request)) return undefined;
      if (isMirror(request.object)) return refuseMirror(request);
      const spec = ensureObject(request.object, 'spec');
      if (textAt(spec, 'serviceAccountName') === '') spec['serviceAccountName'] = 'default';
      const name = textAt(spec, 'serviceAccountName');
      spec['serviceAccount'] = name;
      const account = stored(store, TABLE, request.namespace, name);
      if (account !== undefined) return furnish(request.object, account);
      if (name !== 'default') throw missing(request, name);
      return furnishLater(store, request, name);
    },
    validate(request) {
      if (!concerns(request)) return;
      if (isMirror(request.object)) {
        refuseMirror(request);
        return;
      }
      const name = textAt(objectAt(request.object, 'spec'), 'serviceAccountName');
      if (name === '')
        throw refuse(request, `no service account specified for pod ${request.namespace}/${request.name}`);
      const account = stored(store, TABLE, request.namespace, name);
      if (account === undefined) throw missing(request, name);
      const problem = limitSecretReferences(account, request.object);
      if (problem !== undefined) throw refuse(request, problem);
    },
  };
}

/** The default account of a new namespace is created shortly after it. */
async function furnishLater(
  store: Store,
  request: AdmissionRequest & { object: KubeObject },
  name: string,
): Promise<void> {
  const found = await waitFor(store, request.namespace, name);
  if (found === undefined) throw missing(request, name);
  furnish(request.object, found);
}

function missing(request: AdmissionRequest, name: string): Error {
  return refuse(
    request,
    `error looking up service account ${request.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

async function waitFor(store: Store, namespace: string, name: string): Promise<KubeObject | undefined> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, PATIENCE);
    const stop = store.listenTo(TABLE, (event) => {
      if (event.entry.key === entryKey(namespace, name) && event.type !== 'DELETED') done();
    });
    function done(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
  return stored(store, TABLE, namespace, name);
}

function furnish(pod: KubeObject, account: KubeObject): void {
  const spec = ensureObject(pod, 'spec');
  const automount = spec['automountServiceAccountToken'] ?? account['automountServiceAccountToken'] ?? true;
  if (automount === true) mountToken(spec);
  const secrets = listAt(account, 'imagePullSecrets');
  if (listAt(spec, 'imagePullSecrets').length > 0 || secrets.length === 0) return;
  spec['imagePullSecrets'] = secrets.map((secret) => ({ name: textAt(secret, 'name') }));
}

function mountToken(spec: JsonObject): void {
  const volumes = listAt(spec, 'volumes');
  const had = volumes.find((volume) => textAt(volume, 'name').startsWith(VOLUME));
  const name = had === undefined ? VOLUME + suffix() : textAt(had, 'name');
  let needed = false;
  for (const container of [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')]) {
    const mounts = listAt(container, 'volumeMounts');
    if (mounts.some((mount) => textAt(mount, 'mountPath') === MOUNT_PATH)) continue;
    container['volumeMounts'] = [...mounts, { name, readOnly: true, mountPath: MOUNT_PATH }];
    needed = true;
  }
  if (had === undefined && needed) spec['volumes'] = [...volumes, { name, projected: tokenVolume() }];
}

function tokenVolume(): JsonObject {
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  };
}

// The alphabet of generated names. It has no vowels, so that no words appear by chance.
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

function suffix(): string {
  return Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

const isMirror = (pod: KubeObject): boolean => pod.metadata.annotations?.[MIRROR] !== undefined;

/** A mirror pod reflects a static pod of a kubelet: it has no account and no secrets. */
function refuseMirror(request: AdmissionRequest): void {
  const spec = objectAt(request.object, 'spec');
  if (textAt(spec, 'serviceAccountName') !== '')
    throw refuse(request, 'a mirror pod may not reference service accounts');
  const volumes = listAt(spec, 'volumes');
  if (volumes.some((volume) => objectAt(volume, 'secret') !== undefined))
    throw refuse(request, 'a mirror pod may not reference secrets');
  const sources = volumes.flatMap((volume) => listAt(objectAt(volume, 'projected'), 'sources'));
  if (sources.some((source) => objectAt(source, 'serviceAccountToken') !== undefined)) {
    throw refuse(request, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}
