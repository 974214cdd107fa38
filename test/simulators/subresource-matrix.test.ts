/**
 * Every recorded call of a subresource in every recorded state: the same code, text and body, and the same request to
 * virt-handler.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { VirtHandler } from '../../packages/sandbox/src/simulators/kubevirt/virt-handler.ts';
import { recordingHandler } from '../kubevirt/recording-handler.ts';
import { missingRecordings, readRecording, type ForwardedCall } from '../kubevirt/transcripts.ts';
import { notRun } from '../not-run.ts';
import { recordedVm, recordedVmi, type RecordedState } from './recorded-machines.ts';
import { API, NAMESPACE, startVirtApi, type VirtApiHarness } from './virt-api-harness.ts';

interface Call {
  readonly method: string;
  readonly resource: 'vm' | 'vmi';
  readonly subresource: string;
  readonly body?: Json;
  readonly websocketUpgrade?: true;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: Json;
  readonly contentType?: string;
  readonly responseBody?: Json;
  readonly forwarded_to_virt_handler?: readonly ForwardedCall[];
}

interface Seen {
  readonly code: number;
  readonly contentType: string | undefined;
  readonly body: Json | undefined;
}

const missing = missingRecordings();
const skip = missing === undefined ? false : notRun('test/simulators/subresource-matrix.test.ts', missing);

describe('the recorded calls of subresources', { skip }, () => {
  const states = skip === false ? readStates() : [];
  const handler = recordingHandler();
  let harness: VirtApiHarness;
  before(async () => {
    harness = await startVirtApi(asRecorded(handler, states));
  });
  after(() => harness?.stop());

  for (const state of states)
    test(`in the state ${state.state}, all ${state.calls.length} calls are answered as recorded`, async () => {
      await harness.place(recordedVm(state), recordedVmi(state));
      const wrong: unknown[] = [];
      for (const call of state.calls) {
        handler.forget(NAMESPACE);
        const seen = await send(harness, call);
        const found = { ...answerIn(seen, call), forwarded: handler.forwarded(NAMESPACE) };
        const expected = { ...answerOf(call), forwarded: call.forwarded_to_virt_handler ?? [] };
        if (!isSame(found, expected))
          wrong.push({ call: `${call.method} ${call.resource}/${call.subresource}`, found, expected });
      }
      assert.deepEqual(wrong, []);
    });
});

function readStates(): readonly (RecordedState & { readonly calls: readonly Call[] })[] {
  return (readRecording('subresources/matrix.json') as { states?: unknown })['states'] as ReturnType<typeof readStates>;
}

/** The data that the recording's agent invented about the guest. */
function asRecorded(handler: VirtHandler, states: ReturnType<typeof readStates>): VirtHandler {
  const made = (subresource: string): JsonObject =>
    states.flatMap(({ calls }) => calls).find((call) => call.subresource === subresource && call.code === 200)
      ?.responseBody as JsonObject;
  return {
    ...handler,
    guestOsInfo: async (vmi) => (await handler.guestOsInfo(vmi), made('guestosinfo')),
    userList: async (vmi) => (await handler.userList(vmi), made('userlist')),
    filesystemList: async (vmi) => (await handler.filesystemList(vmi), made('filesystemlist')),
  };
}

async function send({ http, world }: VirtApiHarness, call: Call): Promise<Seen> {
  const plural = call.resource === 'vm' ? 'virtualmachines' : 'virtualmachineinstances';
  const path = `${API}/${plural}/vm1/${call.subresource}`;
  if (call.websocketUpgrade === true) return connect(world.administrator, path);
  const { status, headers, body } = await http.send({
    method: call.method,
    path,
    ...(call.body !== undefined && { body: call.body }),
  });
  return { code: status, contentType: headers['content-type'], body };
}

async function connect(client: Client, path: string): Promise<Seen> {
  try {
    const socket = await client.connect(path, { protocols: ['plain.kubevirt.io'] });
    socket.close();
    await once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
    return { code: 101, contentType: undefined, body: undefined };
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return { code: error.code ?? 0, contentType: 'application/json', body: error.status as unknown as Json };
  }
}

/** The fields of such an answer that the recording has. */
function answerOf(call: Call): JsonObject {
  const { code, reason, message, details, contentType, responseBody } = call;
  return { code, ...defined({ reason, message, details, contentType, body: responseBody }) };
}

function answerIn({ code, contentType, body }: Seen, call: Call): JsonObject {
  if (call.message !== undefined) {
    const { reason, message, details } = body as JsonObject;
    return { code, ...defined({ reason, message, details }) };
  }
  if (call.responseBody === undefined) return { code };
  const isVm = call.responseBody === '<VirtualMachine object>' && (body as JsonObject)['kind'] === 'VirtualMachine';
  return { code, ...defined({ contentType, body: isVm ? call.responseBody : body }) };
}

const defined = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function isSame(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
