/** New VMs get the newest layout of PCI slots, and keep it. */
import type { JsonObject } from '../../../values/json.ts';
import { ensureObject, setDefault, textAt } from '../../../objects/kinds/values/fields.ts';

const ANNOTATION = 'kubevirt.io/pci-topology-version';
const NEWEST = 'v3';

/** @param owner The object with the `metadata`: the template, or the VMI. */
export function setPciTopology(owner: JsonObject, spec: JsonObject): void {
  if (!['amd64', 'arm64'].includes(textAt(spec, 'architecture'))) return;
  setDefault(ensureObject(ensureObject(owner, 'metadata'), 'annotations'), ANNOTATION, NEWEST);
}
