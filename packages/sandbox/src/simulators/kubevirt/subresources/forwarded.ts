/** Calls that virt-api checks and then forwards to the virt-handler on the VMI's node. */
import type { JsonObject } from '../../../values/json.ts';
import { StatusAnswer } from '../../serving/contracts.ts';
import { serverWords } from '../../server-words.ts';
import { virtualMachineInstances, type VirtualMachineInstance } from '../objects.ts';
import type { VirtHandler } from '../virt-handler.ts';
import { guessed, json, ok, plain, type SubresourceAnswer } from './answer.ts';
import { instance, virtualMachine, type SubresourceCall } from './call.ts';
import { inTime } from './in-time.ts';
import { anyOptions, decode, isDryRun, pauseOptions, sevSessionOptions, unpauseOptions } from './options.ts';
import { badRequest, conflict, internal, refusalOf } from './refusals.ts';
import { isRunning, phaseOf } from './power/run-state.ts';
import * as check from './vmi-checks.ts';

type Route = (call: SubresourceCall) => Promise<SubresourceAnswer>;
type Ask = (handler: VirtHandler, vmi: VirtualMachineInstance, options: JsonObject) => Promise<unknown>;

const puts =
  (may: check.VmiCheck, ask: Ask, options = anyOptions): Route =>
  async (call) => {
    const given = decode(await call.body(), options);
    const vmi = await instance(call);
    may(vmi);
    check.hasHandler(vmi);
    if (options !== anyOptions && isDryRun(given)) return ok;
    try {
      await inTime(ask(call.handler, vmi, given));
    } catch (error) {
      throw refusalOf(error);
    }
    return ok;
  };

export const pause = puts(check.canPause, (handler, vmi) => handler.pause(vmi), pauseOptions);
export const softReboot = puts(check.canSoftReboot, (handler, vmi) => handler.softReboot(vmi));
export const freeze = puts(check.canFreeze, (handler, vmi, options) => handler.freeze(vmi, options));
export const unfreeze = puts(check.canUnfreeze, (handler, vmi) => handler.unfreeze(vmi));
export const backup = puts(check.canBackUp, (handler, vmi, options) => handler.other(vmi, 'backup', options));
export const redefineCheckpoint = puts(check.canRedefineCheckpoint, (handler, vmi, options) =>
  handler.other(vmi, 'redefine-checkpoint', options),
);
export const injectLaunchSecret = puts(check.canBeMeasured, (handler, vmi, options) =>
  handler.other(vmi, 'sev/injectlaunchsecret', options),
);

const resume = puts(check.canUnpause, (handler, vmi) => handler.unpause(vmi), unpauseOptions);

/** A snapshot may have paused the guest: only the snapshot may resume it. */
export const unpause: Route = async (call) => {
  const vm = await virtualMachine(call).catch((error: unknown) => {
    if (error instanceof StatusAnswer && error.code === 404) return undefined;
    throw error;
  });
  if (vm?.status?.['snapshotInProgress'] !== undefined)
    throw conflict('virtualmachine', call.name, 'VM snapshot is in progress');
  return resume(call);
};

/** Errors include the phase of the VMI, because a reset is possible before it runs. */
export const reset: Route = async (call) => {
  const vmi = await instance(call);
  const why = (text: string): string =>
    isRunning(vmi) ? text : `Failed to reset non-running VMI with phase ${phaseOf(vmi)}: ${text}`;
  try {
    check.hasHandler(vmi);
  } catch (error) {
    throw badRequest(why(serverWords(error)));
  }
  try {
    await inTime(call.handler.reset(vmi));
  } catch (error) {
    throw error instanceof StatusAnswer ? error : internal(why(serverWords(error)));
  }
  return ok;
};

/** Every error of these calls is 500 in plain text, also for a VMI that does not exist. */
const gets =
  (
    may: check.VmiCheck,
    ask: (handler: VirtHandler, vmi: VirtualMachineInstance) => Promise<SubresourceAnswer>,
  ): Route =>
  async (call) => {
    try {
      const vmi = await instance(call);
      may(vmi);
      check.hasHandler(vmi);
      return await inTime(ask(call.handler, vmi));
    } catch (error) {
      return plain(500, serverWords(error));
    }
  };

export const guestOsInfo = gets(check.hasAgent, async (handler, vmi) => json(await handler.guestOsInfo(vmi)));
export const userList = gets(check.hasAgent, async (handler, vmi) => json(await handler.userList(vmi)));
export const filesystemList = gets(check.hasAgent, async (handler, vmi) => json(await handler.filesystemList(vmi)));
export const screenshot = gets(check.hasGraphics, async (handler, vmi) => guessed(await handler.screenshot(vmi)));
export const fetchCertificateChain = gets(check.canFetchCertificates, async (handler, vmi) =>
  json((await handler.other(vmi, 'sev/fetchcertchain')) ?? {}),
);
export const queryLaunchMeasurement = gets(check.canBeMeasured, async (handler, vmi) =>
  json((await handler.other(vmi, 'sev/querylaunchmeasurement')) ?? {}),
);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `setUpSession` is the only call that is not forwarded: virt-handler reads the session from the VMI. */
export const setUpSession: Route = async (call) => {
  const options = decode(await call.body(), sevSessionOptions);
  if (text(options['session']) === '') throw badRequest('Session blob is required');
  if (text(options['dhCert']) === '') throw badRequest('DH cert is required');
  const vmi = await instance(call);
  check.canSetUpSession(vmi);
  const path = '/spec/domain/launchSecurity/sev';
  const sev = (vmi.spec.domain['launchSecurity'] as JsonObject | undefined)?.['sev'] as JsonObject | undefined;
  const operations = [
    { op: 'test', path, value: sev },
    { op: 'replace', path, value: { ...sev, session: options['session'], dhCert: options['dhCert'] } },
  ] as const;
  const { client, namespace, name } = call;
  try {
    await client.patch(virtualMachineInstances, { namespace, name }, { type: 'json', operations });
  } catch (error) {
    throw internal(serverWords(error));
  }
  return ok;
};
