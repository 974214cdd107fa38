/** Keeps a StorageProfile for every StorageClass, and the status of CDIConfig. */
import { isDeepStrictEqual } from 'node:util';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import { storageProfiles } from '../kubevirt/objects.ts';
import { given } from '../sources.ts';
import type { World } from '../world.ts';
import { cdiCaches, type CdiCaches } from './caches.ts';
import { configStatus } from './config.ts';
import { cdiConfigs, cdis } from './kinds.ts';
import { APP, RECOMMENDED } from './names.ts';
import { profileStatus } from './storage-profile.ts';

const labels = { ...APP, ...RECOMMENDED, 'cdi.kubevirt.io': '' };
const CONFIG = 'config';

export function storageProfileController(world: World): Controller {
  const cluster = world.as('cdi-controller');
  const caches = cdiCaches(cluster);
  const controller = createController({
    name: 'storage-profile',
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [watches(caches.classes, enqueueObject), watches(caches.profiles, enqueueObject)],
    reconcile: ({ name }) => keepProfile(cluster, caches, name),
  });
  controller.engage(cluster);
  return controller;
}

async function keepProfile({ client }: Cluster, { classes, profiles }: CdiCaches, name: string): Promise<void> {
  const storageClass = classes.get({ name });
  const known = profiles.get({ name });
  if (storageClass === undefined) {
    if (known === undefined) return;
    await client.delete(storageProfiles, { name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    return;
  }
  const profile = known ?? (await created(client.create(storageProfiles, { metadata: { name, labels }, spec: {} })));
  const status = profileStatus(storageClass, profile);
  if (profile === undefined || isDeepStrictEqual(profile['status'], status)) return;
  const body = { metadata: { uid: profile.metadata.uid }, status: { claimPropertySets: null, ...status } };
  await client.patch(storageProfiles, { name }, { type: 'merge', body }, { subresource: 'status' });
}

/** Undefined if another writer created it first: its object arrives by watch. */
async function created(creating: Promise<Unstructured>): Promise<Unstructured | undefined> {
  try {
    return await creating;
  } catch (error) {
    if (isKind(error, 'AlreadyExists')) return undefined;
    throw error;
  }
}

export function configController(world: World): Controller {
  const cluster = world.as('cdi-controller');
  const caches = cdiCaches(cluster);
  const installations = cluster.informers.informer(cdis);
  const theConfig = (): readonly { readonly name: string }[] => [{ name: CONFIG }];
  const controller = createController({
    name: 'cdi-config',
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [
      given('config', theConfig),
      ...[caches.classes, caches.configs, installations].map((informer) => watches(informer, theConfig)),
    ],
    reconcile: () => keepConfig(cluster, caches, installations.list()[0]),
  });
  controller.engage(cluster);
  return controller;
}

async function keepConfig(
  { client }: Cluster,
  caches: CdiCaches,
  installation: Unstructured | undefined,
): Promise<void> {
  const key = { name: CONFIG };
  const known = caches.configs.get(key);
  const config = known ?? (await created(client.create(cdiConfigs, { metadata: { ...key, labels }, spec: {} })));
  if (config === undefined) return;
  const status = configStatus(caches.classes.list(), config, installation);
  if (isDeepStrictEqual(config['status'], status)) return;
  const patch = { type: 'merge', body: { metadata: { uid: config.metadata.uid }, status } } as const;
  try {
    await client.patch(cdiConfigs, key, patch, { subresource: 'status' });
  } catch (error) {
    // Some definitions have no status subresource.
    if (!isNotFound(error)) throw error;
    await client.patch(cdiConfigs, key, patch);
  }
}
