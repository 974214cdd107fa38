/**
 * The schemas of KubeVirt's kinds as the API server serves them, each read once when the first object of the kind is
 * reviewed.
 */
import { isObject, type JsonObject } from '../../../values/json.ts';
import { listAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import type { Schema } from '../../../objects/schema/schema.ts';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { World } from '../../world.ts';

export interface DefinitionSchemas {
  /** The schema of `spec`; undefined if the server cannot provide it, and then the minimal check applies. */
  specOf(resource: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
  }): Promise<Schema | undefined>;
}

const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

export function definitionSchemas(world: World): DefinitionSchemas {
  const { client } = world.as('virt-api');
  const read = new Map<string, Promise<JsonObject | undefined>>();
  const definitionOf = (name: string): Promise<JsonObject | undefined> => {
    const reading = client.get(definitions, { name }, { signal: world.signal }).then(
      (definition) => definition as unknown as JsonObject,
      (error: unknown) => {
        // Forgotten, so that the next object reads it again.
        read.delete(name);
        world.log.warn({ err: error, definition: name }, 'cannot read the schema that admission checks');
        return undefined;
      },
    );
    read.set(name, reading);
    return reading;
  };
  return {
    specOf: async ({ group, version, resource }) => {
      const name = `${resource}.${group}`;
      const definition = await (read.get(name) ?? definitionOf(name));
      return specSchema(definition, version);
    },
  };
}

export function specSchema(definition: JsonObject | undefined, version: string): Schema | undefined {
  const versions = listAt(objectAt(definition, 'spec'), 'versions');
  const served = versions.find((one) => textAt(one, 'name') === version);
  const properties = objectAt(objectAt(objectAt(served, 'schema'), 'openAPIV3Schema'), 'properties');
  const spec = objectAt(properties, 'spec');
  return isObject(spec) ? spec : undefined;
}
