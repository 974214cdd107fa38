/** The kinds of the example. `T` is for the compiler only: objects stay the JSON that they are. */
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import type { ShapedStatus } from '../../../packages/kube/src/reconcile/shape.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';

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
