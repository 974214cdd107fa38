/**
 * virtualmachineinstances-mutator: sets a new VMI to Pending and fills in its defaults; only KubeVirt may change the
 * status of an existing one.
 */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { cloneJson, jsonEqual, type JsonObject } from '../../../../values/json.ts';
import { ensureObject, isSet, numberAt, now, objectAt, textsAt } from '../../../../objects/kinds/values/fields.ts';
import type { Schema } from '../../../../objects/schema/schema.ts';
import type { AdmissionAnswer, ReviewRequest } from '../../../serving/contracts.ts';
import { allowed, allowedWith } from '../answer.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import type { AdmissionContext } from '../context.ts';
import { unreadable } from '../decode.ts';
import { setHotplug } from '../defaults/hotplug.ts';
import { setFirmwareUuid, setSpecDefaults } from '../defaults/vmi-spec.ts';
import { fillStructs, shaped } from '../go-shape.ts';
import { setPciTopology } from '../pci-topology.ts';
import { cpuOf, domainOf, memoryOf } from '../rules/amounts.ts';
import { isKubeVirt } from '../service-accounts.ts';

const FINALIZER = 'kubevirt.io/foregroundDeleteVirtualMachine';
/** The user id of qemu in the launcher. */
const NON_ROOT = 107;

export async function mutateVmi(context: AdmissionContext, request: ReviewRequest): Promise<AdmissionAnswer> {
  const vmi = request.object ?? {};
  if (request.operation === 'UPDATE') return mutateUpdate(context, request, vmi);
  const schema = await context.schemas.specOf(request.resource);
  return unreadable(vmi, schema) ?? allowedWith([], filled(vmi, context.config(), schema));
}

function filled(given: JsonObject, config: ClusterConfig, schema: Schema | undefined): JsonPatchOperation[] {
  const vmi = cloneJson(given);
  const spec = ensureObject(vmi, 'spec');
  setSpecDefaults(spec, config);
  setFirmwareUuid(spec);
  setHotplug(spec, config);
  setNodeSelector(spec);
  fillStructs(spec);
  const metadata = ensureObject(vmi, 'metadata');
  setPciTopology(vmi, spec);
  metadata['finalizers'] = [...textsAt(metadata, 'finalizers'), FINALIZER];
  return [
    { op: 'replace', path: '/spec', value: shaped(schema, spec) },
    { op: 'replace', path: '/metadata', value: metadata },
    { op: 'add', path: '/status', value: firstStatus(objectAt(vmi, 'status') ?? {}, spec) },
  ];
}

function firstStatus(given: JsonObject, spec: JsonObject): JsonObject {
  const cpu = cpuOf(spec);
  const guest = memoryOf(spec)?.['guest'];
  return {
    ...given,
    ...(isSet(given, 'currentCPUTopology') ? {} : { currentCPUTopology: topologyOf(cpu) }),
    ...(guest === undefined ? {} : { memory: { guestAtBoot: guest, guestCurrent: guest, guestRequested: guest } }),
    guestOSInfo: objectAt(given, 'guestOSInfo') ?? {},
    phase: 'Pending',
    phaseTransitionTimestamps: [{ phase: 'Pending', phaseTransitionTimestamp: now() }],
    runtimeUser: NON_ROOT,
  };
}

function topologyOf(cpu: JsonObject | undefined): JsonObject {
  const parts = ['cores', 'sockets', 'threads'].map((part) => [part, numberAt(cpu, part)] as const);
  return Object.fromEntries(parts.filter(([, count]) => count !== 0));
}

/** Selects nodes for features that only some of them have. */
function setNodeSelector(spec: JsonObject): void {
  const security = objectAt(domainOf(spec), 'launchSecurity');
  const sev = objectAt(security, 'sev');
  const labels = [
    ...(isSet(cpuOf(spec), 'realtime') ? ['kubevirt.io/realtime'] : []),
    ...(sev === undefined ? [] : ['kubevirt.io/sev']),
    ...(objectAt(sev, 'policy')?.['encryptedState'] === true ? ['kubevirt.io/sev-es'] : []),
    ...(isSet(security, 'snp') ? ['kubevirt.io/sev-snp'] : []),
    ...(isSet(security, 'tdx') ? ['kubevirt.io/tdx'] : []),
  ];
  for (const label of labels) ensureObject(spec, 'nodeSelector')[label] = '';
}

/**
 * A user's change of the status is reverted without an error: the CRD has no status subresource that could prevent it.
 */
function mutateUpdate(context: AdmissionContext, request: ReviewRequest, vmi: JsonObject): AdmissionAnswer {
  const status = (request.oldObject ?? {})['status'];
  if (isKubeVirt(request, context.kubevirtNamespace) || jsonEqual(vmi['status'], status)) return allowed;
  const put: JsonPatchOperation =
    status === undefined ? { op: 'remove', path: '/status' } : { op: 'add', path: '/status', value: status };
  return allowedWith([], [put]);
}
