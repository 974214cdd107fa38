/** Performs a stimulus, in the name of its actor. */
import { defined } from '@ssvirt/base/values/defined';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { isObject, jsonEqual } from '../../packages/sandbox/src/values/json.ts';
import type { HttpAnswer } from '../conformance/http.ts';
import { carriedOver } from './edits.ts';
import type { Harness } from './harness.ts';
import type { Placeholders } from './compare/placeholders.ts';
import type { Stimulus } from './stimuli.ts';
import type { RecordedCall, RecordedEvent } from './transcripts.ts';

/** Resolves to the answer of a call; throws if an agent could not do its part. */
export async function act(
  harness: Harness,
  placeholders: Placeholders,
  stimulus: Stimulus,
): Promise<HttpAnswer | undefined> {
  switch (stimulus.do) {
    case 'call': {
      const { call } = stimulus;
      const body = call.body === undefined ? undefined : placeholders.bind(call.body);
      const send = (): Promise<HttpAnswer> =>
        harness.sender.send({ ...call, path: placeholders.bindText(call.path), body });
      return call.method === 'GET' ? looked(call, send) : send();
    }
    case 'write':
      await write(harness, placeholders, stimulus.actor, stimulus.event);
      return undefined;
    case 'provision':
      await provision(harness, placeholders, stimulus.claim);
      return undefined;
    case 'wait':
      if (stimulus.seconds !== undefined) await pause((stimulus.seconds * 1000) / harness.speed);
      return undefined;
    case 'virt-api':
      await harness.virtApi(stimulus.up);
      return undefined;
  }
}

/** How long an actor waits for earlier actions of others. It only matters if something is wrong. */
const patienceMs = 60_000;

/** An actor that reads an object repeats the read until the object has reached its recorded progress. */
async function looked({ response }: RecordedCall, send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const deadline = Date.now() + patienceMs;
  let answer = await send();
  while (progressOf(answer.body) !== progressOf(response.body) && Date.now() < deadline) {
    await pause(50);
    answer = await send();
  }
  return answer;
}

/** The progress of an object by its own status. */
export function progressOf(body: Json | undefined): string {
  const status = isObject(body) && isObject(body['status']) ? body['status'] : {};
  return JSON.stringify([status['phase'], status['readyToUse']]);
}

interface Place {
  readonly path: string;
  /** The path of the write; the object itself if the kind has no status subresource. */
  readonly subresource: string;
  readonly user: string;
}

const places: Readonly<Record<string, Place>> = {
  VirtualMachineInstance: {
    path: '/apis/kubevirt.io/v1/namespaces/ns1/virtualmachineinstances',
    subresource: '',
    user: 'virt-handler',
  },
  Pod: { path: '/api/v1/namespaces/ns1/pods', subresource: '/status', user: 'kubelet' },
  DataVolume: { path: '/apis/cdi.kubevirt.io/v1beta1/namespaces/ns1/datavolumes', subresource: '/status', user: 'cdi' },
};

const handOverPause = 20;

async function write(harness: Harness, placeholders: Placeholders, actor: string, event: RecordedEvent): Promise<void> {
  const place = places[event.kind];
  const name = placeholders.liveName(event.kind, event.name);
  if (place === undefined || name === undefined) throw new Error(`${actor} finds no ${event.kind} ${event.name}`);
  const path = `${placeholders.bindText(place.path)}/${name}`;
  // kubelet and CDI write only a status.
  const only = (object: JsonObject): JsonObject => (place.subresource === '' ? object : { status: object['status'] });
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const { status, body: live } = await harness.sender.send({ user: place.user, method: 'GET', path });
    if (status !== 200 || !isObject(live)) throw new Error(`${actor} finds no ${event.kind} ${name}: ${status}`);
    // A virt-handler ignores a VMI that was not handed over to its node yet.
    const node = place.user === 'virt-handler' ? nodeOf(actor, live) : undefined;
    if (place.user === 'virt-handler' && node === undefined) {
      await pause(handOverPause);
      continue;
    }
    // Bound after the edit: a time that stayed the same in the recording must not be new here.
    const edited = placeholders.bind(carriedOver(live, only(event.before ?? {}), only(event.after)));
    if (jsonEqual(edited, live)) return;
    const sent = { user: place.user, method: 'PUT', path: path + place.subresource, body: edited, node };
    const answer = await harness.sender.send(sent);
    if (answer.status < 300) return;
    if (answer.status !== 409) throw new Error(`${actor} was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  throw new Error(`${actor} met conflicts, or no node to speak for, for ${patienceMs} ms on ${path}`);
}

/** virt-handler writes for the node that the VMI is on, or that it migrates to. */
function nodeOf(actor: string, live: JsonObject): string | undefined {
  const status = isObject(live['status']) ? live['status'] : {};
  const moving = isObject(status['migrationState']) ? status['migrationState'] : {};
  const node = actor.endsWith('(target)') ? moving['targetNode'] : status['nodeName'];
  return typeof node === 'string' ? node : undefined;
}

async function provision(harness: Harness, placeholders: Placeholders, claim: string): Promise<void> {
  const path = `${placeholders.bindText('/api/v1/namespaces/ns1/persistentvolumeclaims')}/${claim}`;
  const { status, body } = await harness.sender.send({ user: 'csi', method: 'GET', path });
  if (status !== 200 || !isObject(body)) throw new Error(`agent:csi finds no claim ${claim}: ${status}`);
  const { namespace, name, uid, resourceVersion } = body['metadata'] as JsonObject;
  const { accessModes, resources, storageClassName, volumeMode } = body['spec'] as JsonObject;
  const volume: JsonObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `pvc-${String(uid)}`, annotations: { 'pv.kubernetes.io/provisioned-by': 'csi.example' } },
    spec: {
      accessModes: accessModes ?? ['ReadWriteOnce'],
      capacity: { storage: ((resources as JsonObject)['requests'] as JsonObject)['storage'] },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion },
      csi: { driver: 'csi.example', volumeHandle: String(uid) },
      persistentVolumeReclaimPolicy: 'Delete',
      ...defined({ storageClassName, volumeMode }),
    },
  };
  const answer = await harness.sender.send({
    user: 'csi',
    method: 'POST',
    path: '/api/v1/persistentvolumes',
    body: volume,
  });
  if (answer.status !== 201) throw new Error(`agent:csi was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
}
