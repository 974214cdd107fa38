/** virtualmachine-validator: validates a VM as it is with its instance type, preference and all defaults applied. */
import { cloneJson, type JsonObject } from '../../../../values/json.ts';
import { isSet, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import type { AdmissionAnswer, ReviewRequest } from '../../../serving/contracts.ts';
import { expand } from '../../instancetypes/expand.ts';
import { findForVm } from '../../instancetypes/find.ts';
import type { Role } from '../../instancetypes/matcher.ts';
import type { VirtualMachine, VmiSpec } from '../../objects.ts';
import { allowed, allowedWith, judged, refused } from '../answer.ts';
import { invalid, type Cause } from '../cause.ts';
import type { AdmissionContext } from '../context.ts';
import { templateNamespaceCauses } from '../data-volume-templates.ts';
import { unreadable } from '../decode.ts';
import { setSpecDefaults } from '../defaults/vmi-spec.ts';
import { inProgressCauses } from '../in-progress.ts';
import { requirementCauses, spreadCauses } from '../preference-requirements.ts';
import { discontinuedCauses } from '../rules/bindings.ts';
import { isKubeVirt } from '../service-accounts.ts';
import { namedVm } from './vm-mutator.ts';
import { vmSpecCauses } from './vm-spec.ts';

const RUNNING_DEPRECATED = 'spec.running is deprecated, please use spec.runStrategy instead.';

export async function validateVm(context: AdmissionContext, request: ReviewRequest): Promise<AdmissionAnswer> {
  const vm = request.object ?? {};
  const fault = unreadable(vm, await context.schemas.specOf(request.resource));
  if (fault !== undefined) return fault;
  if (isSet(objectAt(vm, 'metadata'), 'deletionTimestamp')) return allowed;
  const causes = await vmCauses(context, request, vm);
  if (causes.length > 0) return refused(causes);
  return allowedWith(isSet(objectAt(vm, 'spec'), 'running') ? [RUNNING_DEPRECATED] : []);
}

/** Each stage runs only if the one before it found no cause. */
async function vmCauses(context: AdmissionContext, request: ReviewRequest, vm: JsonObject): Promise<Cause[]> {
  const config = context.config();
  const namespace = request.namespace ?? '';
  const old = request.operation === 'UPDATE' ? (request.oldObject ?? undefined) : undefined;
  const found = await findBoth(context, namedVm(vm, namespace));
  const whole = putIn(objectAt(vm, 'spec') ?? {}, found);
  if (!('spec' in whole)) return whole.causes;
  const { spec } = whole;
  const vmi = objectAt(objectAt(spec, 'template'), 'spec') ?? {};
  setSpecDefaults(vmi, config);
  const stages = [
    (): Cause[] => requirementCauses(found.instancetype, found.preference, vmi),
    (): Cause[] => (request.operation === 'CREATE' ? discontinuedCauses('spec', vmi) : []),
    (): Cause[] => vmSpecCauses(spec, config, isKubeVirt(request, context.kubevirtNamespace)),
    (): Cause[] =>
      templateNamespaceCauses(
        objectAt(vm, 'spec') ?? {},
        objectAt(old, 'spec'),
        textAt(objectAt(vm, 'metadata'), 'namespace') || namespace,
      ),
    (): Cause[] => inProgressCauses(vm, old),
  ];
  for (const stage of stages) {
    const causes = stage();
    if (causes.length > 0) return causes;
  }
  return [];
}

interface FoundBoth {
  readonly instancetype: JsonObject | undefined;
  readonly preference: JsonObject | undefined;
}

async function findBoth({ cluster }: AdmissionContext, vm: VirtualMachine): Promise<FoundBoth> {
  const find = async (role: Role): Promise<JsonObject | undefined> => {
    try {
      return (await findForVm(cluster, vm, role))?.spec;
    } catch {
      // An instance type or preference that does not exist yet is accepted; the controller reports it.
      return undefined;
    }
  };
  const [instancetype, preference] = await Promise.all([find('instancetype'), find('preference')]);
  return { instancetype, preference };
}

/** Returns a copy of the VM's spec with both applied to its template, or the conflicts between them. */
function putIn(
  vmSpec: JsonObject,
  { instancetype, preference }: FoundBoth,
): { readonly spec: JsonObject } | { readonly causes: Cause[] } {
  const spec = cloneJson(vmSpec);
  const template = objectAt(spec, 'template');
  if (template === undefined || (instancetype === undefined && preference === undefined)) return { spec };
  const spread = spreadCauses(instancetype, preference);
  if (spread.length > 0) return { causes: spread };
  const given = { spec: (objectAt(template, 'spec') ?? {}) as unknown as VmiSpec };
  const expanded = expand(given, instancetype, preference);
  if (expanded.conflicts.length > 0) {
    const conflict = (field: string): Cause =>
      invalid(`VM field(s) ${field} conflicts with selected instance type`, field);
    return { causes: expanded.conflicts.map(conflict) };
  }
  template['spec'] = expanded.spec as unknown as JsonObject;
  return { spec };
}

/** kubevirt-crd-status-validator: refuses a status only while a snapshot or restore is running. */
export function validateStatus(request: ReviewRequest): AdmissionAnswer {
  if (request.resource.resource !== 'virtualmachines' || request.operation !== 'UPDATE') return allowed;
  return judged(inProgressCauses(request.object ?? {}, request.oldObject ?? undefined));
}
