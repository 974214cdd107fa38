/** The kinds of the example. `T` is for the compiler only: objects stay the JSON that they are. */
import type { KubeObject, ResourceType, ShapedStatus } from '@ssvirt/kube';

export interface Greeting extends KubeObject {
  readonly spec: { readonly to: string };
  readonly status?: ShapedStatus & { readonly text?: string };
}

export const greetings: ResourceType<Greeting> = {
  group: 'example.ssvirt.io',
  version: 'v1',
  kind: 'Greeting',
  plural: 'greetings',
  namespaced: true,
};

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const configMaps: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
