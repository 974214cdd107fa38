/** Consoles, screens and ports: checks who may open which before any byte is transferred. */
import type { Duplex } from 'node:stream';
import type { VirtualMachineInstance } from '../objects.ts';
import { instance, instanceOfVm, type SubresourceCall } from './call.ts';
import { inTime } from './in-time.ts';
import { badRequest, internal, refusalOf } from './refusals.ts';
import * as check from './vmi-checks.ts';

/** Throws the refusal, or opens the stream that is joined with the websocket. */
export type StreamRoute = (call: SubresourceCall) => Promise<Duplex>;

type Opened = (call: SubresourceCall, vmi: VirtualMachineInstance) => Promise<Duplex>;

const opens =
  (may: check.VmiCheck, open: Opened): StreamRoute =>
  async (call) => {
    const vmi = await instance(call);
    may(vmi);
    check.hasHandler(vmi);
    return dialled('dialing virt-handler', open(call, vmi));
  };

/** A stream that opens after the timeout is closed. */
async function dialled(doing: string, opening: Promise<Duplex>): Promise<Duplex> {
  try {
    return await inTime(opening);
  } catch (error) {
    opening.then(
      (stream) => stream.destroy(),
      () => undefined,
    );
    throw refusalOf(error, `${doing}: `);
  }
}

export const console_ = opens(check.hasSerialConsole, ({ open }, vmi) => open(vmi, 'console'));

export const vnc = opens(check.hasGraphics, ({ open, query }, vmi) =>
  open(vmi, 'vnc', { preserveSession: isTrue(query.get('preserveSession')) }),
);

export const usbRedirection = opens(check.hasUsbRedirection, ({ open }, vmi) => open(vmi, 'usbredir'));

export const vsock = opens(check.hasVsock, ({ open, query }, vmi) => {
  const port = Number(query.get('port'));
  return open(vmi, 'vsock', Number.isInteger(port) ? { port } : {});
});

/** The texts that Go parses as true. */
const isTrue = (text: string | null): boolean => ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text ?? '');

const forwards =
  (find: (call: SubresourceCall) => Promise<VirtualMachineInstance>): StreamRoute =>
  async (call) => {
    const vmi = await find(call);
    check.canForwardPorts(vmi);
    const [port = '', protocol = 'tcp'] = call.rest;
    if (port === '') throw badRequest('port must not be empty');
    if (protocol !== 'tcp' && protocol !== 'udp')
      throw internal(`dialing VM: dial ${protocol}: unknown network ${protocol}`);
    const number = Number(port);
    if (!Number.isInteger(number) || number < 1 || number > 65_535)
      throw internal(`dialing VM: dial ${protocol}: address ${port}: invalid port`);
    return dialled('dialing VM', call.handler.portForward(vmi, number, protocol));
  };

export const portForward = forwards(instance);
export const portForwardOfVm = forwards(instanceOfVm);
