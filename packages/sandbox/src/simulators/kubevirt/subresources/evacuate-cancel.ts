/** evacuate/cancel: cancels the evacuation of a VMI. */
import { serverWords } from '../../server-words.ts';
import { nodes, virtualMachineInstances, type VirtualMachineInstance } from '../objects.ts';
import { ok, type SubresourceAnswer } from './answer.ts';
import { installation, instance, instanceOfVm, type SubresourceCall } from './call.ts';
import { decode, evacuateCancelOptions, isDryRun } from './options.ts';
import { badRequest, internal } from './refusals.ts';

interface Taint {
  readonly key: string;
  readonly effect: string;
}

export const cancelEvacuationOfVm = async (call: SubresourceCall): Promise<SubresourceAnswer> =>
  cancel(call, await instanceOfVm(call));

export const cancelEvacuation = async (call: SubresourceCall): Promise<SubresourceAnswer> =>
  cancel(call, await instance(call));

async function cancel(call: SubresourceCall, vmi: VirtualMachineInstance): Promise<SubresourceAnswer> {
  const leaving = vmi.status?.['evacuationNodeName'];
  const from = typeof leaving === 'string' ? leaving : '';
  await refuseWhereDrained(call, from === '' ? (vmi.status?.nodeName ?? '') : from);
  if (from === '') return ok;
  const options = decode(await call.body(), evacuateCancelOptions);
  const path = '/status/evacuationNodeName';
  const operations = [
    { op: 'test', path, value: options['evacuationNodeName'] ?? '' },
    { op: 'remove', path },
  ] as const;
  const { client, namespace, name } = call;
  try {
    await client.patch(
      virtualMachineInstances,
      { namespace, name },
      { type: 'json', operations },
      { dryRun: isDryRun(options) },
    );
  } catch (error) {
    throw internal(serverWords(error));
  }
  return ok;
}

/** On a node with the drain taint, the VMI would only be evacuated again. */
async function refuseWhereDrained(call: SubresourceCall, name: string): Promise<void> {
  if (name === '') throw internal('resource name may not be empty');
  const key = await drainTaint(call);
  try {
    const node = await call.client.get(nodes, { name });
    const taints = (node['spec'] as { readonly taints?: readonly Taint[] } | undefined)?.taints ?? [];
    if (!taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule')) return;
  } catch (error) {
    throw internal(serverWords(error));
  }
  throw badRequest(`Node ${JSON.stringify(name)} has NodeDrainTaintKey ${JSON.stringify(`${key}:NoSchedule`)}`);
}

interface Configured {
  readonly configuration?: { readonly migrations?: { readonly nodeDrainTaintKey?: string } };
}

async function drainTaint(call: SubresourceCall): Promise<string> {
  try {
    const spec = (await installation(call))?.['spec'] as Configured | undefined;
    return spec?.configuration?.migrations?.nodeDrainTaintKey ?? 'kubevirt.io/drain';
  } catch (error) {
    throw internal(serverWords(error));
  }
}
