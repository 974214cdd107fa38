/** What exists in the sandbox before the random requests: namespaces, objects, and definitions with rules. */
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';

/** Each part of a run has its own objects, so that what earlier requests broke does not starve later ones. */
export interface Harness {
  readonly namespaces: readonly string[];
  readonly group: string;
}

export function groundOf(part: number): Harness {
  return { namespaces: [`fuzz-${part}`, `fuzz-${part}-b`], group: `fuzz-${part}.example.com` };
}

/** A definition with everything: rules, defaults, list types, several versions, subresources, columns. */
export function gadgetDefinition(group: string): JsonObject {
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        'x-kubernetes-validations': [
          { rule: 'self.size <= self.limit', message: 'size must not exceed limit' },
          {
            rule: '!has(self.color) || self.color in ["red", "green"]',
            messageExpression: '"no such color: " + self.color',
          },
          { rule: 'self.size >= oldSelf.size', message: 'size may not shrink' },
        ],
        properties: {
          size: { type: 'integer', minimum: 0, maximum: 100 },
          limit: { type: 'integer', default: 50 },
          color: { type: 'string', maxLength: 20 },
          amount: {
            'x-kubernetes-int-or-string': true,
            'x-kubernetes-validations': [{ rule: 'type(self) == int ? self >= 0 : isQuantity(self)' }],
          },
          memory: {
            type: 'string',
            maxLength: 30,
            'x-kubernetes-validations': [{ rule: 'isQuantity(self) && quantity(self).isGreaterThan(quantity("1Ki"))' }],
          },
          when: { type: 'string', format: 'date-time' },
          pattern: { type: 'string', pattern: '^[a-z]+$', maxLength: 100 },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          tags: {
            type: 'array',
            maxItems: 10,
            items: { type: 'string', maxLength: 50 },
            'x-kubernetes-list-type': 'set',
          },
          ports: {
            type: 'array',
            maxItems: 10,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name', 'protocol'],
            items: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string', maxLength: 20 },
                protocol: { type: 'string', default: 'TCP', maxLength: 5 },
                number: { type: 'integer' },
              },
            },
          },
          labels: {
            type: 'object',
            additionalProperties: { type: 'string', nullable: true, maxLength: 50 },
            maxProperties: 20,
          },
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
          replicas: { type: 'integer' },
        },
      },
      status: {
        type: 'object',
        properties: { replicas: { type: 'integer' }, phase: { type: 'string' } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  };
  const version = (name: string, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: schema },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
    additionalPrinterColumns: [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'When', type: 'date', jsonPath: '.spec.when', priority: 1 },
    ],
    selectableFields: [{ jsonPath: '.spec.color' }],
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        plural: 'gadgets',
        singular: 'gadget',
        kind: 'Gadget',
        listKind: 'GadgetList',
        shortNames: ['gd'],
        categories: ['all'],
      },
      versions: [version('v1', true), version('v1beta1', false)],
    },
  };
}
