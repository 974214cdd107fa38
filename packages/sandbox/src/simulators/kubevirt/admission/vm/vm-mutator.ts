/** virtualmachines-mutator: fills in the defaults when a VM is written. */
import { randomUUID } from 'node:crypto';
import { cloneJson, jsonEqual, type JsonObject } from '../../../../values/json.ts';
import { ensureObject, isSet, listAt, objectAt, setDefault, textAt } from '../../../../objects/kinds/values/fields.ts';
import type { Schema } from '../../../../objects/schema/schema.ts';
import type { AdmissionAnswer, ReviewRequest } from '../../../serving/contracts.ts';
import { findForVm } from '../../instancetypes/find.ts';
import { roles } from '../../instancetypes/matcher.ts';
import type { VirtualMachine } from '../../objects.ts';
import { allowed, allowedWith, failed, refused } from '../answer.ts';
import type { AdmissionContext } from '../context.ts';
import { unreadable } from '../decode.ts';
import { setMachine } from '../defaults/vmi-spec.ts';
import { fillStructs, fillTemplateStructs, shaped } from '../go-shape.ts';
import { infer, InferenceFailed } from '../infer.ts';
import { matcherCauses } from '../matchers.ts';
import { setPciTopology } from '../pci-topology.ts';

export async function mutateVm(context: AdmissionContext, request: ReviewRequest): Promise<AdmissionAnswer> {
  const vm = request.object ?? {};
  const schema = await context.schemas.specOf(request.resource);
  const fault = unreadable(vm, schema);
  if (fault !== undefined) return fault;
  if (isSet(objectAt(vm, 'metadata'), 'deletionTimestamp')) return allowed;
  const old = request.operation === 'UPDATE' ? (objectAt(request.oldObject ?? {}, 'spec') ?? {}) : undefined;
  const spec = cloneJson(objectAt(vm, 'spec') ?? {});
  const causes = matcherCauses(spec, old);
  if (causes.length > 0) return refused(causes);
  const problem = await inferMatchers(context, spec, request.namespace ?? '');
  if (problem !== undefined) return failed(problem);
  const preference = await preferenceOf(context, { ...vm, spec }, request.namespace ?? '');
  fillVm(context, spec, preference, request.operation === 'CREATE');
  return answered(vm, spec, schema);
}

function answered(vm: JsonObject, spec: JsonObject, schema: Schema | undefined): AdmissionAnswer {
  const value = shaped(schema, spec);
  return jsonEqual(value, vm['spec']) ? allowed : allowedWith([], [{ op: 'replace', path: '/spec', value }]);
}

/** Replaces the matchers that ask for inference. Returns the reason if inference fails. */
async function inferMatchers(
  { cluster }: AdmissionContext,
  spec: JsonObject,
  namespace: string,
): Promise<string | undefined> {
  for (const role of roles) {
    const matcher = objectAt(spec, role);
    if (textAt(matcher, 'inferFromVolume') === '') continue;
    const ignores = textAt(matcher, 'inferFromVolumeFailurePolicy') === 'Ignore';
    try {
      const inferred = await infer(cluster, spec, namespace, role);
      // The memory is only the fallback for a failed inference.
      if (ignores && role === 'instancetype')
        delete objectAt(objectAt(objectAt(spec, 'template'), 'spec'), 'domain')?.['memory'];
      spec[role] = { ...inferred };
    } catch (error) {
      if (!(error instanceof InferenceFailed)) throw error;
      if (!error.ignorable || !ignores) return error.message;
      delete spec[role];
    }
  }
  return undefined;
}

async function preferenceOf(
  { cluster }: AdmissionContext,
  vm: JsonObject,
  namespace: string,
): Promise<JsonObject | undefined> {
  try {
    return (await findForVm(cluster, namedVm(vm, namespace), 'preference'))?.spec;
  } catch {
    // A preference that does not exist yet is ignored; the controller reports it later.
    return undefined;
  }
}

/** A VM that is being created may not contain its namespace yet. */
export function namedVm(vm: JsonObject, namespace: string): VirtualMachine {
  return { ...vm, metadata: { ...objectAt(vm, 'metadata'), namespace } } as unknown as VirtualMachine;
}

function fillVm(context: AdmissionContext, spec: JsonObject, preference: JsonObject | undefined, isNew: boolean): void {
  const config = context.config();
  const template = ensureObject(spec, 'template');
  const vmi = ensureObject(template, 'spec');
  if (textAt(vmi, 'architecture') === '')
    vmi['architecture'] = textAt(preference, 'preferredArchitecture') || config.defaultArchitecture;
  setMachine(vmi, config, textAt(objectAt(preference, 'machine'), 'preferredMachineType'));
  setStorageClass(spec, textAt(objectAt(preference, 'volumes'), 'preferredStorageClassName'));
  fillStructs(vmi);
  fillTemplateStructs(listAt(spec, 'dataVolumeTemplates'));
  if (!isNew) return;
  const firmware = ensureObject(ensureObject(vmi, 'domain'), 'firmware');
  for (const field of ['uuid', 'serial']) if (textAt(firmware, field) === '') firmware[field] = randomUUID();
  setPciTopology(template, vmi);
}

function setStorageClass(spec: JsonObject, storageClass: string): void {
  if (storageClass === '') return;
  for (const template of listAt(spec, 'dataVolumeTemplates')) {
    for (const kind of ['pvc', 'storage']) {
      const claim = objectAt(objectAt(template, 'spec'), kind);
      if (claim !== undefined) setDefault(claim, 'storageClassName', storageClass);
    }
  }
}
