/** Boot images: a DataSource stands for the latest disk of a system, and its labels say what machine fits it. */
import { fields, known, text } from '../facts/reading.ts';
import type { CatalogEntry } from './entry.ts';
import { notReady, opened, readiness } from './envelope.ts';

const DEFAULT = 'instancetype.kubevirt.io/default-';

const UNSAID = 'the cluster has not said yet whether the image is there';

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
