/**
 * Boot images: a DataSource points to the latest disk of an operating system, and its labels suggest the hardware for
 * it.
 */
import { fields, known, text } from '../facts/reading.ts';
import type { CatalogEntry } from './entry.ts';
import { notReady, opened, readiness } from './envelope.ts';

const DEFAULT = 'instancetype.kubevirt.io/default-';

const UNSAID = 'the cluster has not reported yet whether the image exists';

export function fromDataSource(object: unknown): CatalogEntry | undefined {
  const { metadata, status } = fields(object);
  const found = opened(metadata);
  if (found === undefined) return undefined;
  const { envelope, labels, deleting } = found;
  return known<CatalogEntry>({
    kind: 'DataSource',
    ...envelope,
    description: envelope.description || `A machine that starts from the image ${envelope.displayName}`,
    vmCount: 1,
    instancetype: text(labels[`${DEFAULT}instancetype`]),
    instancetypeKind: text(labels[`${DEFAULT}instancetype-kind`]),
    preference: text(labels[`${DEFAULT}preference`]),
    preferenceKind: text(labels[`${DEFAULT}preference-kind`]),
    parameters: [],
    machines: [],
    ...readiness(deleting, notReady(status, UNSAID)),
  });
}
