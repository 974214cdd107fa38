/** What virt-api asks of the virt-handler on a VMI's node. The nodes' simulator answers; a recording answers in its place where one is replayed. */
import type { Duplex } from 'node:stream';
import type { JsonObject } from '../../json.ts';
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
  /** Bytes of the serial line, of RFB, or of a port of the guest. */
  open(
    vmi: VirtualMachineInstance,
    what: 'console' | 'vnc' | 'usbredir' | 'vsock',
    options?: StreamOptions,
  ): Promise<Duplex>;
  portForward(vmi: VirtualMachineInstance, port: number, protocol: 'tcp' | 'udp'): Promise<Duplex>;
  /** Anything else that virt-api only passes on (PUT, or GET with an answer in JSON): `backup`, `sev/…`, `objectgraph`. */
  other(vmi: VirtualMachineInstance, path: string, body?: JsonObject): Promise<JsonObject | undefined>;
}

export interface StreamOptions {
  /** vnc: do not end the session that is there. */
  readonly preserveSession?: boolean;
  readonly port?: number;
}
