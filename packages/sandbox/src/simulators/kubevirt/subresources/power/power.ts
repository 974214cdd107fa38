/** start, stop and restart: read the objects, decide, patch. */
import type { StatusAnswer } from '../../../serving/contracts.ts';
import { serverWords } from '../../../server-words.ts';
import { virtualMachineInstances, virtualMachines } from '../../objects.ts';
import type { JsonObject } from '../../../../values/json.ts';
import { accepted, type SubresourceAnswer } from '../answer.ts';
import { findInstance, virtualMachine, type SubresourceCall } from '../call.ts';
import type { Decision, DecisionWrite } from '../decision.ts';
import { decode, isDryRun, restartOptions, startOptions, stopOptions, unknownDryRun } from '../options.ts';
import { conflict, internal } from '../refusals.ts';
import { badGracePeriod, decideRestart } from './restart.ts';
import { decideStart } from './start.ts';
import { decideStop } from './stop.ts';

export async function start(call: SubresourceCall): Promise<SubresourceAnswer> {
  const options = decode(await call.body(), startOptions);
  const vm = await virtualMachine(call);
  return carryOut(call, decideStart(vm, await findInstance(call), { paused: options['paused'] === true }), options);
}

export async function stop(call: SubresourceCall): Promise<SubresourceAnswer> {
  const options = decode(await call.body(), stopOptions);
  const vm = await virtualMachine(call);
  const seconds = numberIn(options, 'gracePeriod');
  const wanted = seconds === undefined ? {} : { gracePeriod: seconds };
  return carryOut(call, decideStop(vm, await findInstance(call), wanted), options);
}

export async function restart(call: SubresourceCall): Promise<SubresourceAnswer> {
  const options = decode(await call.body(), restartOptions);
  const seconds = numberIn(options, 'gracePeriodSeconds');
  const bad = badGracePeriod(seconds);
  if (bad !== undefined) throw bad;
  const vm = await virtualMachine(call);
  return carryOut(call, decideRestart(vm, await findInstance(call), { forced: seconds === 0 }), options);
}

const numberIn = (options: JsonObject, name: string): number | undefined => {
  const value = options[name];
  return typeof value === 'number' ? value : undefined;
};

async function carryOut(call: SubresourceCall, decision: Decision, options: JsonObject): Promise<SubresourceAnswer> {
  const unknown = unknownDryRun(options);
  if (unknown !== undefined && decision.writes.length > 0)
    throw internal(
      `PatchOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ${JSON.stringify(unknown)}: supported values: "All"`,
    );
  const dryRun = isDryRun(options);
  for (const write of decision.writes) await writeOrUndo(call, write, dryRun);
  if (decision.refusal !== undefined) throw decision.refusal;
  return accepted;
}

async function writeOrUndo(call: SubresourceCall, write: DecisionWrite, dryRun: boolean): Promise<void> {
  try {
    await patch(call, write, dryRun);
  } catch (error) {
    if (write.undo !== undefined)
      await patch(call, write.undo, dryRun).catch((failed: unknown) =>
        call.world.log.warn(
          { err: failed, namespace: call.namespace, vm: call.name },
          'could not put back the grace period after a failed restart',
        ),
      );
    throw refusalOf(call, write, error);
  }
}

async function patch(
  { client, namespace, name }: SubresourceCall,
  write: DecisionWrite,
  dryRun: boolean,
): Promise<void> {
  const key = { namespace, name };
  const body = { type: 'json', operations: write.operations } as const;
  if (write.on === 'vmi') await client.patch(virtualMachineInstances, key, body, { dryRun });
  else if (write.on === 'vm') await client.patch(virtualMachines, key, body, { dryRun });
  else await client.patch(virtualMachines, key, body, { dryRun, subresource: 'status' });
}

function refusalOf({ name }: SubresourceCall, { on }: DecisionWrite, error: unknown): StatusAnswer {
  const words = serverWords(error);
  return on !== 'vmi' && words.includes('jsonpatch test operation does not apply')
    ? conflict('virtualmachine', name, words)
    : internal(words);
}
