/**
 * The calls of virt-api to the virt-handler on a VMI's node. The simulator of nodes implements them, or a recording
 * when one is replayed.
 */
import type { Duplex } from 'node:stream';
import type { JsonObject } from '../../values/json.ts';
import type { VirtualMachineInstance } from './objects.ts';

export interface VirtHandler {
  pause(vmi: VirtualMachineInstance): Promise<void>;
  unpause(vmi: VirtualMachineInstance): Promise<void>;
  softReboot(vmi: VirtualMachineInstance): Promise<void>;
  reset(vmi: VirtualMachineInstance): Promise<void>;
  freeze(vmi: VirtualMachineInstance, options: JsonObject): Promise<void>;
  unfreeze(vmi: VirtualMachineInstance): Promise<void>;
  guestOsInfo(vmi: VirtualMachineInstance): Promise<JsonObject>;
  userList(vmi: VirtualMachineInstance): Promise<JsonObject>;
  filesystemList(vmi: VirtualMachineInstance): Promise<JsonObject>;
  /** A PNG. */
  screenshot(vmi: VirtualMachineInstance): Promise<Buffer>;
  /** The bytes of the serial console, of RFB, or of a port of the guest. */
  open(
    vmi: VirtualMachineInstance,
    what: 'console' | 'vnc' | 'usbredir' | 'vsock',
    options?: StreamOptions,
  ): Promise<Duplex>;
  portForward(vmi: VirtualMachineInstance, port: number, protocol: 'tcp' | 'udp'): Promise<Duplex>;
  /** Any other call that virt-api forwards (PUT, or GET with a JSON answer): `backup`, `sev/…`, `objectgraph`. */
  other(vmi: VirtualMachineInstance, path: string, body?: JsonObject): Promise<JsonObject | undefined>;
}

export interface StreamOptions {
  /** For vnc: do not end the existing session. */
  readonly preserveSession?: boolean;
  readonly port?: number;
}
