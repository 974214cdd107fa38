/** expand-spec and expand-vm-spec: return the VM with its instance type and preference expanded. */
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { goJsonError } from '../../../objects/schema/go/go-json-error.ts';
import type { StatusAnswer } from '../../serving/contracts.ts';
import { serverWords } from '../../server-words.ts';
import { configOf } from '../admission/cluster-config.ts';
import { findForVm } from '../instancetypes/find.ts';
import type { VirtualMachine } from '../objects.ts';
import { json, type SubresourceAnswer } from './answer.ts';
import { installation, virtualMachine, type SubresourceCall, type CallContext } from './call.ts';
import { badRequest, internal } from './refusals.ts';
import { writtenOut } from './written-out.ts';

export interface NamespaceCall extends CallContext {
  readonly namespace: string;
  body(): Promise<Buffer>;
}

export const expandSpec = async (call: SubresourceCall): Promise<SubresourceAnswer> =>
  expanded(call, await virtualMachine(call), internal);

export async function expandVmSpec(call: NamespaceCall): Promise<SubresourceAnswer> {
  const vm = read(await call.body());
  const { namespace } = call;
  const named = vm.metadata.namespace ?? '';
  if (named !== '' && named !== namespace) throw badRequest(`VM namespace must be empty or ${namespace}`);
  return expanded(call, { ...vm, metadata: { ...vm.metadata, namespace } }, badRequest);
}

async function expanded(
  around: CallContext,
  vm: VirtualMachine,
  refusal: (why: string) => StatusAnswer,
): Promise<SubresourceAnswer> {
  if (vm.spec.instancetype === undefined && vm.spec.preference === undefined) return shown(vm);
  const cluster = around.world.as('virt-api');
  try {
    const matched = {
      instancetype: (await findForVm(cluster, vm, 'instancetype'))?.spec,
      preference: (await findForVm(cluster, vm, 'preference'))?.spec,
    };
    return shown(writtenOut(vm, matched, configOf(await installation(around))));
  } catch (error) {
    throw refusal(serverWords(error));
  }
}

const shown = (vm: VirtualMachine): SubresourceAnswer =>
  json({ kind: 'VirtualMachine', apiVersion: 'kubevirt.io/v1', ...vm, status: vm.status ?? {} });

/** This body must be JSON; others may be YAML. */
function read(body: Buffer): VirtualMachine {
  const text = body.toString();
  const vm = parse(text);
  if (!isObject(vm)) throw unreadable('json: cannot unmarshal array into Go value of type map[string]interface {}');
  const missing = missingPart(vm);
  if (missing !== undefined) throw invalid(`${missing} in body is required`);
  return { metadata: {}, ...vm } as unknown as VirtualMachine;
}

function missingPart({ spec }: JsonObject): string | undefined {
  if (!isObject(spec)) return 'spec';
  const { template } = spec;
  if (!isObject(template)) return 'spec.template';
  return isObject(template['spec']) ? undefined : 'spec.template.spec';
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw unreadable(goJsonError(text));
  }
}

const unreadable = (why: string): StatusAnswer => badRequest(`Can not unmarshal Request body to struct, error: ${why}`);

const invalid = (cause: string): StatusAnswer =>
  badRequest('Object is not a valid VirtualMachine', { causes: [{ message: cause }] });
