/** What the server sets in a definition: defaults, and the status, which clients cannot write. */
import { jsonEqual } from '../../values/json.ts';
import { terminate } from './status.ts';
import type { CustomResourceDefinition, DefinitionStatus } from './types.ts';

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export function defaultDefinition(crd: CustomResourceDefinition): void {
  const { names } = crd.spec;
  if (names === undefined) return;
  if ((names.singular ?? '') === '' && (names.kind ?? '') !== '') names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? '') === '' && (names.kind ?? '') !== '') names.listKind = `${names.kind}List`;
  crd.spec.conversion ??= { strategy: 'None' };
  const service = crd.spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
}

export function prepareForCreate(crd: CustomResourceDefinition): void {
  crd.metadata.generation = 1;
  crd.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] };
  addStorageVersion(crd, crd.status);
}

/** `prepareForUpdate` keeps the status; only a change of the spec increments the generation. */
export function prepareForUpdate(crd: CustomResourceDefinition, old: CustomResourceDefinition): void {
  crd.status = structuredClone(old.status ?? emptyStatus());
  const changed = !jsonEqual(crd.spec, old.spec);
  crd.metadata.generation = (old.metadata.generation ?? 0) + (changed ? 1 : 0);
  addStorageVersion(crd, crd.status);
}

/** The objects of a definition are deleted before the definition. */
export function prepareForDelete(crd: CustomResourceDefinition, now: string): void {
  const finalizers = crd.metadata.finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) crd.metadata.finalizers = [...finalizers, cleanupFinalizer];
  crd.metadata.deletionTimestamp = now;
  crd.status = terminate(crd, 'pending', now);
}

export function prepareForStatusUpdate(crd: CustomResourceDefinition, old: CustomResourceDefinition): void {
  crd.spec = structuredClone(old.spec);
}

const emptyStatus = (): DefinitionStatus => ({
  conditions: null,
  acceptedNames: { plural: '', kind: '' },
  storedVersions: [],
});

function addStorageVersion(crd: CustomResourceDefinition, status: DefinitionStatus): void {
  const storage = (crd.spec.versions ?? []).find((version) => version.storage);
  if (storage === undefined) return;
  status.storedVersions ??= [];
  if (!status.storedVersions.includes(storage.name)) status.storedVersions.push(storage.name);
}
