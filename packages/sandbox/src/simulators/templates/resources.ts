/** The resources of `template.openshift.io`: custom resources with the additional rules of OpenShift's own server. */
import type { Resource, Strategy } from '../../server/api/resource.ts';
import { customResources } from '../../objects/crd/resource.ts';
import type { CustomResourceDefinition } from '../../objects/crd/types.ts';
import type { KubeObject } from '../../values/json.ts';
import { objectMetaSchema } from '../../objects/kinds/builtin.ts';
import { validateObjectMetaUpdate } from '../../objects/schema/object-meta.ts';
import { customApiResources } from '../../objects/strategies/custom.ts';
import { instanceLayout, templateLayout } from './columns.ts';
import { templateDefinition, templateInstanceDefinition } from './definitions.ts';
import { instanceProblems, instanceUpdateProblems, parameterProblems } from './validation.ts';

/** In the order of discovery: clients that look for the kind Template take the last resource that has it. */
export function templateResources(): readonly Resource[] {
  const templates = templateResource();
  return [processedTemplates(templates), templateInstanceResource(), templates];
}

function templateResource(): Resource {
  const resource = served(templateDefinition);
  return {
    ...resource,
    layout: templateLayout,
    strategy: {
      ...withoutGeneration(resource.strategy),
      validate: (object) => [...resource.strategy.validate(object), ...parameterProblems(object)],
    },
  };
}

/** Served by a special handler; nothing is stored. */
function processedTemplates(templates: Resource): Resource {
  const { storageVersionHash: _hash, ...rest } = templates;
  return { ...rest, plural: 'processedtemplates', singular: 'processedtemplate', verbs: ['create'], table: 'none' };
}

function templateInstanceResource(): Resource {
  const resource = served(templateInstanceDefinition);
  const strategy = withoutGeneration(resource.strategy);
  return {
    ...resource,
    layout: instanceLayout,
    strategy: {
      ...strategy,
      // A status is written together with metadata: the controller sets its finalizer this way.
      prepareForUpdate: (object, old, subresource) =>
        subresource === 'status' ? keepSpec(object, old) : strategy.prepareForUpdate(object, old, subresource),
      validate: (object) => [...strategy.validate(object), ...instanceProblems(object)],
      validateUpdate: (object, old, subresource) => [
        ...(subresource === 'status'
          ? validateObjectMetaUpdate(object.metadata, old.metadata)
          : strategy.validateUpdate(object, old, subresource)),
        ...instanceUpdateProblems(object, old),
      ],
      resetFields: (subresource) => [[subresource === 'status' ? 'spec' : 'status']],
    },
  };
}

function served(definition: CustomResourceDefinition): Resource {
  const never = new AbortController();
  // The schema is our own, and no stored object is older than it.
  const [resource] = customApiResources(customResources(definition, objectMetaSchema), 0, false, never.signal);
  if (resource === undefined) throw new Error(`nothing is served of ${definition.spec.names.plural}`);
  return { ...resource, strategicPatch: true };
}

/** OpenShift sets no generation on these kinds. */
function withoutGeneration(strategy: Strategy): Strategy {
  const drop = (object: KubeObject): void => {
    delete object.metadata.generation;
  };
  return {
    ...strategy,
    prepareForCreate(object) {
      strategy.prepareForCreate(object);
      drop(object);
    },
    prepareForUpdate(object, old, subresource) {
      strategy.prepareForUpdate(object, old, subresource);
      drop(object);
    },
  };
}

function keepSpec(object: KubeObject, old: KubeObject): void {
  if (old['spec'] === undefined) delete object['spec'];
  else object['spec'] = old['spec'];
}
