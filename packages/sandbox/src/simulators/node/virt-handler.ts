/**
 * The calls of virt-api to the virt-handler of a guest's node: the guest is simulated, but changes are written as
 * virt-handler writes them.
 */
import { isConflict, isKind } from '@ssvirt/kube/errors';
import { keyOfObject } from '@ssvirt/kube/object';
import { textAt } from '../../objects/kinds/values/fields.ts';
import type { JsonObject } from '../../values/json.ts';
import { virtualMachineInstances, type VirtualMachineInstance } from '../kubevirt/objects.ts';
import type { VirtHandler } from '../kubevirt/virt-handler.ts';
import type { World } from '../world.ts';
import { nodeCaches } from './caches.ts';
import { pausedCondition, RESUMED_ANNOTATION } from './domain/boot.ts';
import { GUEST_ANNOTATION } from './domain/ending.ts';
import { guestOs } from './domain/guest-os.ts';
import { conditionOf, conditionsWithout } from './domain/step.ts';
import { Guests, hostnameOf } from './guest/guests.ts';
import { timestamp } from './timestamp.ts';

const TRIES = 10;

export function virtHandler(world: World): VirtHandler {
  const caches = nodeCaches(world.as('virt-handler'));
  const write = (vmi: VirtualMachineInstance, change: Change): Promise<void> =>
    writeVmi(world, vmi, change, caches.vmis.get(keyOfObject(vmi)));
  const guests = new Guests({
    current: (vmi) => caches.vmis.get(keyOfObject(vmi)) ?? vmi,
    powerOff: (vmi) => {
      write(vmi, (live) => ({
        ...live,
        metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, [GUEST_ANNOTATION]: 'poweroff' } },
      })).catch((err: unknown) =>
        world.log.warn({ err, vmi: vmi.metadata.name }, 'a guest could not power itself off'),
      );
    },
  });
  caches.vmis.addHandler({
    name: 'guests',
    added: () => {},
    updated: (_, vmi) => {
      if (vmi.status?.phase === 'Succeeded' || vmi.status?.phase === 'Failed') guests.end(vmi.metadata.uid ?? '');
    },
    deleted: (vmi) => guests.end(vmi.metadata.uid ?? ''),
  });
  const restart = (vmi: VirtualMachineInstance): Promise<void> => {
    guests.restart(vmi.metadata.uid ?? '');
    return Promise.resolve();
  };
  return {
    pause: (vmi) => write(vmi, paused),
    unpause: (vmi) => write(vmi, resumed),
    softReboot: restart,
    reset: restart,
    freeze: (vmi) => write(vmi, (live) => withStatus(live, { fsFreezeStatus: 'frozen' })),
    unfreeze: (vmi) => write(vmi, (live) => withStatus(live, { fsFreezeStatus: undefined })),
    guestOsInfo: (vmi) => Promise.resolve(guestInfo(vmi)),
    userList: (vmi) => Promise.resolve({ items: users(vmi) }),
    filesystemList: (vmi) => Promise.resolve({ items: filesystems(vmi) }),
    screenshot: (vmi) => Promise.resolve(guests.screenshot(vmi)),
    open: (vmi, what, { port = 0 } = {}) => {
      if (what === 'console') return Promise.resolve(guests.console(vmi));
      return Promise.resolve(what === 'vnc' ? guests.vnc(vmi) : guests.port(vmi, port));
    },
    portForward: (vmi, port) => Promise.resolve(guests.port(vmi, port)),
    other: () => Promise.resolve(undefined),
  };
}

type Change = (live: VirtualMachineInstance) => VirtualMachineInstance | undefined;

/** Writes with the cached object first, and after each conflict with a new one from the server. */
async function writeVmi(
  world: World,
  vmi: VirtualMachineInstance,
  change: Change,
  known: VirtualMachineInstance | undefined,
): Promise<void> {
  const node = vmi.status?.nodeName;
  const { client } = world.as('virt-handler', node === undefined ? {} : { node });
  for (let tried = 1; ; tried++) {
    try {
      const live =
        tried === 1 && isAsNew(known, vmi) ? known : await client.get(virtualMachineInstances, keyOfObject(vmi));
      const next = live.metadata.uid === vmi.metadata.uid ? change(live) : undefined;
      if (next !== undefined) await client.update(virtualMachineInstances, next);
      return;
    } catch (error) {
      if (isKind(error, 'NotFound')) return;
      if (!isConflict(error) || tried >= TRIES) throw error;
    }
  }
}

/** The caller has just read the VMI, and the cache may be older. */
function isAsNew(
  known: VirtualMachineInstance | undefined,
  { metadata }: VirtualMachineInstance,
): known is VirtualMachineInstance {
  return known !== undefined && known.metadata.resourceVersion === metadata.resourceVersion;
}

function withStatus(vmi: VirtualMachineInstance, status: Readonly<Record<string, unknown>>): VirtualMachineInstance {
  return { ...vmi, status: { ...vmi.status, ...status } };
}

function paused(vmi: VirtualMachineInstance): VirtualMachineInstance | undefined {
  if (conditionOf(vmi, 'Paused') !== undefined) return undefined;
  return withStatus(vmi, { conditions: [...(vmi.status?.conditions ?? []), pausedCondition(timestamp())] });
}

/** A VMI with the start strategy Paused is marked when it is resumed, so that it is not paused again. */
function resumed(vmi: VirtualMachineInstance): VirtualMachineInstance | undefined {
  if (conditionOf(vmi, 'Paused') === undefined) return undefined;
  const next = withStatus(vmi, { conditions: conditionsWithout(vmi, 'Paused') });
  if (vmi.spec['startStrategy'] !== 'Paused') return next;
  const annotations = { ...vmi.metadata.annotations, [RESUMED_ANNOTATION]: 'true' };
  return { ...next, metadata: { ...vmi.metadata, annotations } };
}

function guestInfo(vmi: VirtualMachineInstance): JsonObject {
  return {
    fsFreezeStatus: vmi.status?.['fsFreezeStatus'] === 'frozen' ? 'frozen' : 'thawed',
    fsInfo: { disks: [...filesystems(vmi)] },
    guestAgentVersion: '8.2.0',
    hostname: hostnameOf(vmi),
    os: guestOs(vmi),
    supportedCommands: ['guest-ping', 'guest-shutdown', 'guest-get-osinfo', 'guest-fsfreeze-freeze'].map((name) => ({
      enabled: true,
      name,
      successResponse: true,
    })),
    timezone: 'UTC, 0',
    userList: [...users(vmi)],
  };
}

function users(vmi: VirtualMachineInstance): JsonObject[] {
  const running = Date.parse(
    (
      vmi.status?.['phaseTransitionTimestamps'] as
        | readonly { readonly phase: string; readonly phaseTransitionTimestamp: string }[]
        | undefined
    )?.find(({ phase }) => phase === 'Running')?.phaseTransitionTimestamp ?? '',
  );
  return [{ loginTime: Number.isNaN(running) ? 0 : running / 1000, userName: textAt(guestOs(vmi), 'id') }];
}

function filesystems(vmi: VirtualMachineInstance): JsonObject[] {
  const root =
    textAt(
      vmi.status?.volumeStatus?.find((one) => textAt(one, 'target') !== ''),
      'target',
    ) || 'vda';
  return [
    {
      diskName: `${root}4`,
      fileSystemType: 'btrfs',
      mountPoint: '/',
      totalBytes: 4_000_000_000,
      usedBytes: 900_000_000,
    },
  ];
}
