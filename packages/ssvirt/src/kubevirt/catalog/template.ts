/** OpenShift's Templates. Only those that create a VM count. */
import { fields, known, list, text, type Fields } from '../facts/reading.ts';
import { written } from './body.ts';
import type { CatalogEntry } from './entry.ts';
import { opened, readiness } from './envelope.ts';
import { isVirtualMachine, outlineOfAll } from './machine.ts';
import { shapesOf } from './machine-shape.ts';
import { parametersOf } from './parameters.ts';

const OS_LABEL = 'os.template.kubevirt.io/';
const OS_NAME = 'name.os.template.kubevirt.io/';

export function fromTemplate(object: unknown): CatalogEntry | undefined {
  const { metadata, objects, parameters, labels: shared } = fields(object);
  const machines = list(objects).filter(isVirtualMachine);
  const found = opened(metadata);
  if (found === undefined || machines.length === 0) return undefined;
  const { envelope, labels, annotations, deleting } = found;
  const { shown, defaults, fault } = parametersOf(parameters);
  const outline = outlineOfAll(machines, defaults);
  return known<CatalogEntry>({
    kind: 'Template',
    ...envelope,
    vmCount: machines.length,
    ...outline,
    guestOs: osNamed(labels, annotations) ?? outline.guestOs,
    parameters: shown,
    body: written({ objects: list(objects), labels: shared }),
    machines: shapesOf(machines, defaults),
    ...readiness(deleting, fault),
  });
}

/**
 * By the conventions of common-templates: a label for each operating system that it fits, an annotation with the
 * display name.
 */
function osNamed(labels: Fields, annotations: Fields): string | undefined {
  const ids = Object.keys(labels)
    .filter((label) => label.startsWith(OS_LABEL) && labels[label] === 'true')
    .map((label) => label.slice(OS_LABEL.length))
    .toSorted();
  const names = ids.map((id) => text(annotations[OS_NAME + id])).filter((name) => name !== undefined);
  return names[0] ?? (ids.length === 1 ? text(ids[0]) : undefined);
}
