/** A virt-handler that only records virt-api's requests, and answers like the recording's agent. */
import { Duplex } from 'node:stream';
import type { VirtHandler } from '../../packages/sandbox/src/simulators/kubevirt/virt-handler.ts';
import type { VirtualMachineInstance } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { readRecording, type ForwardedCall } from './transcripts.ts';

export interface RecordingHandler extends VirtHandler {
  /** The requests about VMs of a namespace since it was cleared. */
  forwarded(namespace: string): readonly ForwardedCall[];
  forget(namespace: string): void;
}

export function recordingHandler(): RecordingHandler {
  const calls = new Map<string, ForwardedCall[]>();
  const note = (vmi: VirtualMachineInstance, method: string, path: string): void => {
    const { namespace = '', name = '' } = vmi.metadata;
    const list = calls.get(namespace) ?? [];
    calls.set(namespace, list);
    list.push({ method, path: `/v1/namespaces/${namespace}/virtualmachineinstances/${name}/${path}`, body: '' });
  };
  const put =
    (path: string) =>
    (vmi: VirtualMachineInstance): Promise<void> => {
      note(vmi, 'PUT', path);
      return Promise.resolve();
    };
  const get =
    <T>(path: string, answer: T) =>
    (vmi: VirtualMachineInstance): Promise<T> => {
      note(vmi, 'GET', path);
      return Promise.resolve(answer);
    };
  const silence = (): Duplex => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  return {
    forwarded: (namespace) => calls.get(namespace) ?? [],
    forget: (namespace) => void calls.delete(namespace),
    pause: put('pause'),
    unpause: put('unpause'),
    softReboot: put('softreboot'),
    reset: put('reset'),
    freeze: put('freeze'),
    unfreeze: put('unfreeze'),
    guestOsInfo: get('guestosinfo', guest('guestosinfo')),
    userList: get('userlist', guest('userlist')),
    filesystemList: get('filesystemlist', guest('filesystemlist')),
    screenshot: get('vnc/screenshot', Buffer.from('(png bytes)')),
    open(vmi, what, options) {
      const preserve = what === 'vnc' ? `?preserveSession=${options?.preserveSession === true}` : '';
      note(vmi, 'GET', `${what}${preserve}`);
      return Promise.resolve(silence());
    },
    portForward(vmi, port, protocol) {
      note(vmi, 'GET', `portforward/${port}/${protocol}`);
      return Promise.resolve(silence());
    },
    other(vmi, path, body) {
      note(vmi, body === undefined ? 'GET' : 'PUT', path);
      return Promise.resolve(body === undefined ? {} : undefined);
    },
  };
}

/** The data that the recording's agent invented about the guest. */
function guest(subresource: string): JsonObject {
  const { states } = readRecording('subresources/matrix.json') as unknown as {
    readonly states: readonly { readonly calls: readonly JsonObject[] }[];
  };
  const calls = states.flatMap((state) => state.calls);
  const call = calls.find((one) => one['subresource'] === subresource && one['code'] === 200);
  return call?.['responseBody'] as JsonObject;
}
