/** What virt-api does with an object before it looks at its content: check it against the schema, then decode it. */
import type { JsonObject } from '../../../json.ts';
import { objectAt } from '../../../kinds/fields.ts';
import type { Schema } from '../../../schema/schema.ts';
import type { AdmissionAnswer } from '../../serving/contracts.ts';
import { failed, refused } from './answer.ts';
import { quantityFault } from './go-shape.ts';
import { unsignedFault } from './numbers.ts';
import { schemaCauses } from './schema-check.ts';

const domain: Schema = { type: 'object', required: ['domain'], properties: { domain: { type: 'object' } } };
const template: Schema = { type: 'object', required: ['spec'], properties: { spec: domain } };
/** What the rest stands on, where the server's definition says nothing. */
const least: Readonly<Record<string, Schema>> = {
  VirtualMachine: { type: 'object', required: ['template'], properties: { template } },
  VirtualMachineInstance: domain,
};

/** The refusal, or undefined where the spec can be read. */
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
  // The struct that Go names is the innermost that decodes itself; the path is that from the outermost.
  return vmi && unsignedFault(vmi, 'VirtualMachineInstanceTemplateSpec.spec.template.spec');
}
