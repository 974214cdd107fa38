/** The validators of VMIs, for creation and for updates. */
import { isObject, jsonEqual, type JsonObject } from '../../../../values/json.ts';
import { objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import type { AdmissionAnswer, ReviewRequest } from '../../../serving/contracts.ts';
import { allowed, judged, refused } from '../answer.ts';
import { invalid, notSupported, type Cause } from '../cause.ts';
import type { AdmissionContext } from '../context.ts';
import { unreadable } from '../decode.ts';
import { architectureCauses } from '../rules/architecture.ts';
import { discontinuedCauses } from '../rules/bindings.ts';
import { hypervCauses } from '../rules/hyperv.ts';
import { mandatoryMemoryCauses } from '../rules/memory.ts';
import { metadataCauses, reservedLabelCauses } from '../rules/metadata.ts';
import { unusedVolumeCauses } from '../rules/volumes.ts';
import { isKubeVirt, isVirtHandler, nodeOf } from '../service-accounts.ts';
import { vmiSpecCauses } from './vmi-spec.ts';

export async function validateNewVmi(context: AdmissionContext, request: ReviewRequest): Promise<AdmissionAnswer> {
  const vmi = request.object ?? {};
  const fault = unreadable(vmi, await context.schemas.specOf(request.resource));
  if (fault !== undefined) return fault;
  const spec = objectAt(vmi, 'spec') ?? {};
  const config = context.config();
  const byKubeVirt = isKubeVirt(request, context.kubevirtNamespace);
  return judged([
    ...discontinuedCauses('spec', spec),
    ...vmiSpecCauses('spec', spec, config),
    ...unusedVolumeCauses('spec', spec),
    ...mandatoryMemoryCauses('spec', spec),
    ...metadataCauses('metadata', objectAt(vmi, 'metadata'), config, byKubeVirt),
    ...hypervCauses('spec', spec),
    ...architectureCauses('spec', spec),
  ]);
}

export function validateVmiUpdate(context: AdmissionContext, request: ReviewRequest): AdmissionAnswer {
  const [vmi, old] = [request.object ?? {}, request.oldObject ?? {}];
  if (isVirtHandler(request, context.kubevirtNamespace)) return judged(nodeCauses(vmi, old, nodeOf(request)));
  if (isKubeVirt(request, context.kubevirtNamespace)) return allowed;
  if (!jsonEqual(vmi['spec'], old['spec'])) return refused([notSupported('update of VMI object is restricted')]);
  return judged(reservedLabelCauses(objectAt(old, 'metadata'), objectAt(vmi, 'metadata')));
}

/** A virt-handler may write only VMIs that run on its node or are moving to it. */
function nodeCauses(vmi: JsonObject, old: JsonObject, node: string | undefined): Cause[] {
  const status = objectAt(old, 'status');
  const target = textAt(objectAt(status, 'migrationState'), 'targetNode');
  const owns = node !== undefined && (node === textAt(status, 'nodeName') || (target !== '' && node === target));
  if (!owns) return [invalid('Node restriction, virt-handler is only allowed to modify VMIs it owns')];
  const migration = objectAt(objectAt(vmi, 'status'), 'migrationState');
  if (target === '' && isObject(migration) && textAt(migration, 'targetNode') !== '')
    return [invalid('Node restriction, virt-handler is not allowed to set target node')];
  return [];
}
