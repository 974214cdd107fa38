/** KubeVirt's VirtualMachineTemplates: one VM with parameters. */
import { fields, known } from '../facts/reading.ts';
import { asMachine, written } from './body.ts';
import type { CatalogEntry } from './entry.ts';
import { notReady, opened, readiness } from './envelope.ts';
import { outlineOf } from './machine.ts';
import { shapesOf } from './machine-shape.ts';
import { parametersOf } from './parameters.ts';

const UNSAID = 'the cluster has not reported yet whether it can be used';

export function fromVirtualMachineTemplate(object: unknown): CatalogEntry | undefined {
  const { metadata, spec, status } = fields(object);
  const { virtualMachine, parameters } = fields(spec);
  const found = opened(metadata);
  if (found === undefined) return undefined;
  const { envelope, deleting } = found;
  const { shown, defaults, fault } = parametersOf(parameters);
  return known<CatalogEntry>({
    kind: 'VirtualMachineTemplate',
    ...envelope,
    vmCount: 1,
    ...outlineOf(virtualMachine, defaults),
    parameters: shown,
    body: written({ objects: virtualMachine === undefined ? [] : [asMachine(virtualMachine)] }),
    machines: shapesOf(virtualMachine === undefined ? [] : [virtualMachine], defaults),
    ...readiness(
      deleting,
      fault || (virtualMachine === undefined ? 'it contains no virtual machine' : notReady(status, UNSAID)),
    ),
  });
}
