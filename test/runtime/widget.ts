/** The kind that the runtime is tested with. */
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';

export interface Widget extends KubeObject {
  readonly spec?: { readonly size?: number; readonly color?: string; readonly [field: string]: unknown };
  readonly status?: { readonly seen?: number; readonly [field: string]: unknown };
}

export const widgets: ResourceType<Widget> = {
  group: 'test.ssvirt.io',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};

/** It has a status subresource, undeclared fields, and a list without a list type (so the list is atomic). */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.test.ssvirt.io' },
  spec: {
    group: widgets.group,
    scope: 'Namespaced',
    names: { plural: widgets.plural, singular: 'widget', kind: widgets.kind, listKind: 'WidgetList' },
    versions: [
      {
        name: widgets.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: {
                  size: { type: 'integer' },
                  color: { type: 'string' },
                  parts: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, amount: { type: 'integer' } },
                    },
                  },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

export function widget(
  namespace: string,
  name: string,
  spec: NonNullable<Widget['spec']> = {},
  labels: Readonly<Record<string, string>> = {},
): Widget {
  return {
    apiVersion: `${widgets.group}/${widgets.version}`,
    kind: widgets.kind,
    metadata: { namespace, name, labels },
    spec,
  };
}
