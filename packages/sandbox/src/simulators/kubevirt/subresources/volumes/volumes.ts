/**
 * addvolume and removevolume. On a VM they change its template, which declares the disks; the VMI of a VM is not
 * changed directly.
 */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import { isKind } from '@ssvirt/kube/errors';
import type { JsonObject } from '../../../../values/json.ts';
import { StatusAnswer } from '../../../serving/contracts.ts';
import { serverWords } from '../../../server-words.ts';
import { virtualMachineInstances, virtualMachines, type VirtualMachineInstance } from '../../objects.ts';
import { accepted, type SubresourceAnswer } from '../answer.ts';
import { instance, virtualMachine, type SubresourceCall } from '../call.ts';
import { addVolumeOptions, decode, isDryRun, removeVolumeOptions } from '../options.ts';
import { badRequest, conflict, internal } from '../refusals.ts';
import { isRunning } from '../power/run-state.ts';
import { additionOf, obstacle, removalOf, volumePatch, type VolumeChange } from './volume-change.ts';

type Change = (call: SubresourceCall, change: VolumeChange, dryRun: boolean) => Promise<void>;

const adds =
  (to: Change) =>
  async (call: SubresourceCall): Promise<SubresourceAnswer> => {
    const options = decode(await call.body(), addVolumeOptions);
    await to(call, additionOf(options), isDryRun(options));
    return accepted;
  };

const removes =
  (from: Change) =>
  async (call: SubresourceCall): Promise<SubresourceAnswer> => {
    const options = decode(await call.body(), removeVolumeOptions);
    await from(call, removalOf(options), isDryRun(options));
    return accepted;
  };

const changeVm: Change = async (call, change, dryRun) => {
  const { client, namespace, name } = call;
  const { spec } = (await virtualMachine(call)).spec.template;
  const why = obstacle(spec.volumes ?? [], change);
  if (why !== undefined) throw conflict('virtualmachine', name, why);
  const operations = volumePatch('/spec/template', spec, change);
  await passingOnInvalid('vm', () =>
    client.patch(virtualMachines, { namespace, name }, patchOf(operations), { dryRun }),
  );
};

const changeVmi: Change = async (call, change, dryRun) => {
  const { client, namespace, name } = call;
  const vmi = await instance(call);
  if (isOfVm(vmi)) throw badRequest(`VMI ${namespace}/${name} is owned by a VM`);
  if (!isRunning(vmi)) throw conflict('virtualmachineinstance', name, 'VMI is not running');
  const why = obstacle(vmi.spec.volumes ?? [], change);
  if (why !== undefined) throw conflict('virtualmachineinstance', name, why);
  const operations = volumePatch('', vmi.spec, change);
  await passingOnInvalid('vmi', () =>
    client.patch(virtualMachineInstances, { namespace, name }, patchOf(operations), { dryRun }),
  );
};

const patchOf = (operations: readonly JsonPatchOperation[]) => ({ type: 'json', operations }) as const;

const isOfVm = ({ metadata }: VirtualMachineInstance): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'VirtualMachine' && controller === true) === true;

/** The caller gets the causes of a webhook's refusal unchanged. */
async function passingOnInvalid(noun: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isKind(error, 'Invalid') && error.status !== undefined)
      throw new StatusAnswer(
        error.code ?? 422,
        error.status.reason,
        serverWords(error),
        error.status.details as JsonObject | undefined,
      );
    throw internal(`unable to patch ${noun}: ${serverWords(error)}`);
  }
}

export const addVolume = adds(changeVm);
export const removeVolume = removes(changeVm);
export const addVolumeToInstance = adds(changeVmi);
export const removeVolumeFromInstance = removes(changeVmi);
