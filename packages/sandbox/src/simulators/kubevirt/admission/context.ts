/** What the webhooks of virt-api know about their cluster. */
import type { Cluster } from '@ssvirt/kube/cluster';
import type { World } from '../../world.ts';
import { kubeVirts } from '../objects.ts';
import { configOf, defaultConfig, type ClusterConfig } from './cluster-config.ts';
import { definitionSchemas, type DefinitionSchemas } from './definition-schemas.ts';

export interface AdmissionContext {
  readonly cluster: Cluster;
  readonly kubevirtNamespace: string;
  readonly schemas: DefinitionSchemas;
  config(): ClusterConfig;
}

export function admissionContext(world: World): AdmissionContext {
  const cluster = world.as('virt-api');
  const kubevirts = cluster.informers.informer(kubeVirts);
  // Read for every reviewed object, and changed very rarely.
  let known: { readonly version: string; readonly config: ClusterConfig } = { version: '', config: defaultConfig };
  return {
    cluster,
    kubevirtNamespace: world.kubevirtNamespace,
    schemas: definitionSchemas(world),
    config: () => {
      const [kubevirt] = kubevirts.list();
      const version = kubevirt?.metadata.resourceVersion ?? '';
      if (version !== known.version) known = { version, config: configOf(kubevirt) };
      return known.config;
    },
  };
}
