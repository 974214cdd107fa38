/** The registry in the form that discovery and OpenAPI use. */
import type { Registry } from './api/registry.ts';
import type { Resource } from './api/resource.ts';
import type { ServedResource } from './discovery/served-resource.ts';

/** An entry stays the same object until it changes: documents are cached by identity. */
export function servedResources(registry: Registry): () => ServedResource[] {
  const known = new WeakMap<Resource, ServedResource>();
  return () =>
    registry.all().map((resource) => {
      const entry = known.get(resource) ?? toServed(resource);
      known.set(resource, entry);
      return entry;
    });
}

function toServed(resource: Resource): ServedResource {
  const { group, version, plural, singular, kind, listKind, namespaced, verbs, subresources } = resource;
  const { shortNames, categories } = resource;
  return {
    group,
    version,
    name: plural,
    singularName: singular,
    kind,
    listKind,
    namespaced,
    verbs,
    subresources,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
    ...(resource.definition === undefined ? { schema: resource.schema } : { definition: resource.definition }),
    ...(resource.selectableFields === undefined ? {} : { selectableFields: resource.selectableFields }),
  };
}
