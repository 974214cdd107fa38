/** What virt-api does before it looks at an object's content: it validates it against the schema, then decodes it. */
import type { JsonObject } from '../../../values/json.ts';
import { objectAt } from '../../../objects/kinds/values/fields.ts';
import type { Schema } from '../../../objects/schema/schema.ts';
import type { AdmissionAnswer } from '../../serving/contracts.ts';
import { failed, refused } from './answer.ts';
import { quantityFault } from './go-shape.ts';
import { unsignedFault } from './numbers.ts';
import { schemaCauses } from './schema-check.ts';

const domain: Schema = { type: 'object', required: ['domain'], properties: { domain: { type: 'object' } } };
const template: Schema = { type: 'object', required: ['spec'], properties: { spec: domain } };
/** The fields that the other rules need, used if the server's definition has no schema. */
const least: Readonly<Record<string, Schema>> = {
  VirtualMachine: { type: 'object', required: ['template'], properties: { template } },
  VirtualMachineInstance: domain,
};

/** `unreadable` returns the refusal, or undefined if the spec can be decoded. */
export function unreadable(object: JsonObject, schema: Schema | undefined): AdmissionAnswer | undefined {
  const spec = objectAt(object, 'spec') ?? {};
  const known = schema?.properties === undefined ? least[String(object['kind'])] : schema;
  const causes = known === undefined ? [] : schemaCauses(known, spec, 'spec');
  if (causes.length > 0) return refused(causes);
  const fault = numberFault(object, spec) ?? quantityFault(schema, spec);
  return fault === undefined ? undefined : failed(fault);
}

function numberFault(object: JsonObject, spec: JsonObject): string | undefined {
  if (object['kind'] === 'VirtualMachineInstance') return unsignedFault(spec, 'VirtualMachineInstance.spec');
  const vmi = objectAt(objectAt(spec, 'template'), 'spec');
  // Go's message names the innermost struct that has its own decoder; the path begins at the outermost one.
  return vmi && unsignedFault(vmi, 'VirtualMachineInstanceTemplateSpec.spec.template.spec');
}
