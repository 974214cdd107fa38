/** expand-spec and expand-vm-spec: the VM as it is with its instance type and preference written out. */
import { json, type Answer } from './answer.ts';
import { goJsonError } from '../../../schema/go-json-error.ts';
import type { VirtualMachine } from '../objects.ts';
import { virtualMachine, type SubresourceCall, type Surroundings } from './call.ts';
import { badRequest } from './refusals.ts';

export async function expandSpec(call: SubresourceCall): Promise<Answer> {
  return json({ kind: 'VirtualMachine', apiVersion: 'kubevirt.io/v1', ...(await virtualMachine(call)) });
}

export interface NamespaceCall extends Surroundings {
  readonly namespace: string;
  body(): Promise<Buffer>;
}

export async function expandVmSpec(call: NamespaceCall): Promise<Answer> {
  const vm = read(await call.body());
  const { namespace } = call;
  const named = vm.metadata?.namespace ?? '';
  if (named !== '' && named !== namespace) throw badRequest(`VM namespace must be empty or ${namespace}`);
  return json({ ...vm, metadata: { ...vm.metadata, namespace } });
}

/** Unlike other bodies, this one is JSON only. */
function read(body: Buffer): Partial<VirtualMachine> {
  const text = body.toString();
  let vm: unknown;
  try {
    vm = JSON.parse(text);
  } catch {
    throw badRequest(`Can not unmarshal Request body to struct, error: ${goJsonError(text)}`);
  }
  if (typeof vm !== 'object' || vm === null || Array.isArray(vm))
    throw badRequest(
      'Can not unmarshal Request body to struct, error: json: cannot unmarshal into Go value of type map[string]interface {}',
    );
  return vm;
}
