/** A custom resource with one field for each kind of list and map. */
import type { JsonObject } from '../../../values/json.ts';
import type { Schema } from '../../schema/schema.ts';

const string: Schema = { type: 'string' };
const strings: Schema = { type: 'array', items: string };

const conditions: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      type: string,
      status: string,
      reason: string,
      message: string,
      lastUpdateTime: { type: 'string', format: 'date-time' },
      lastTransitionTime: { type: 'string', format: 'date-time' },
    },
  },
};

export const widgetSchema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        paused: { type: 'boolean' },
        name: string,
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            required: ['port'],
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
              name: string,
              tags: { ...strings, 'x-kubernetes-list-type': 'set' },
            },
          },
        },
        tags: { ...strings, 'x-kubernetes-list-type': 'set' },
        sizes: { type: 'array', items: { type: 'number' }, 'x-kubernetes-list-type': 'set' },
        args: { ...strings, 'x-kubernetes-list-type': 'atomic' },
        steps: { type: 'array', items: { type: 'object', properties: { name: string } } },
        labels: { type: 'object', additionalProperties: string },
        selector: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { matchLabels: { type: 'object', additionalProperties: string } },
        },
        nested: {
          type: 'object',
          properties: {
            a: string,
            b: string,
            deep: {
              type: 'object',
              properties: { x: { type: 'integer' }, y: { type: 'integer' }, z: { type: 'integer' } },
            },
          },
        },
        resources: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: {
              limit: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
            },
          },
        },
        anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        target: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      },
    },
    status: { type: 'object', properties: { phase: string, conditions } },
  },
};

const version = (name: string, storage: boolean): JsonObject => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: widgetSchema as JsonObject },
  subresources: { status: {} },
});

export const widgetCrd: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.test' },
  spec: {
    group: 'example.test',
    names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
    scope: 'Namespaced',
    versions: [version('v1', true), version('v1beta1', false)],
  },
};
