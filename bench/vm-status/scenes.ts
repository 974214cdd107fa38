/** A scene: a server with VMs, their rows, and a way to change the VMs. */
import { join } from 'node:path';
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';
import type { Credentials } from '../../test/cluster/cluster.ts';
import { Player } from '../runtime/player.ts';
import { Connection } from '../sandbox/connection.ts';
import { startServer, type ServerName } from '../sandbox/servers.ts';
import { readInitialEvents } from './bare-watcher.ts';
import { define, harden } from './definitions.ts';
import { Versions, type Change, type Load, type Played } from './load.ts';
import { inNamespace, machine, nameOf, namespace, uidOf } from './machines.ts';
import { sampleIndex } from './object-text.ts';
import { patch } from './patches.ts';
import { populate } from './population.ts';
import type { Orders, PlayOrder } from './source-main.ts';

export type SourceName = 'real' | 'sandbox' | 'source';

export interface Scene {
  readonly name: SourceName;
  readonly server: Credentials;
  /** The uids of the VMs, by index. */
  readonly uids: readonly string[];
  readonly versions: Versions;
  play(changes: readonly Change[], load: Load): Promise<Played>;
  stop(): Promise<void>;
}

const watchableMs = 300_000;

export function openScene(name: SourceName, count: number, definitions: string): Promise<Scene> {
  return name === 'source' ? fromMemory(count, definitions) : onServer(name, count, definitions);
}

async function onServer(name: ServerName & SourceName, count: number, definitions: string): Promise<Scene> {
  const server = await startServer(name);
  try {
    const uids = await populate(server, count, definitions);
    await untilWatchable(server);
    const play = (changes: readonly Change[], load: Load): Promise<Played> => patch(server, changes, load);
    return { name, server, uids, versions: new Versions(count), play, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * After a change of the definition a kube-apiserver refills its cache, validates every object, and refuses watches
 * until it is done: half a minute for ten thousand VMs, and longer on a busy host.
 */
async function untilWatchable(server: Credentials): Promise<void> {
  const deadline = performance.now() + watchableMs;
  for (;;) {
    try {
      await readInitialEvents(server);
      return;
    } catch (error) {
      // Refused with 429, or disconnected.
      if (performance.now() > deadline) throw error;
      await new Promise((wake) => setTimeout(wake, 1000));
    }
  }
}

async function fromMemory(count: number, definitions: string): Promise<Scene> {
  const behind = await startServer('sandbox');
  const player = new Player('source', process.execPath, [join(import.meta.dirname, 'source-main.ts')]);
  const stop = async (): Promise<void> => {
    await player.stop();
    await behind.stop();
  };
  try {
    const sample = await furnish(behind, definitions);
    const { url, ca, token } = behind;
    const orders: Orders = { sample, count, behind: { url, ca, token } };
    const serving = await player.ask(JSON.stringify(orders), 'serving');
    const server = { ...(JSON.parse(serving.text ?? '{}') as Omit<Credentials, 'token'>), token };
    const play = async (changes: readonly Change[], { rate }: Load): Promise<Played> => {
      const order: PlayOrder = { changes: changes.map(({ index, version }) => [index, version] as const), rate };
      const { ms, text } = await player.ask(JSON.stringify(order), 'played');
      return { sent: Array.isArray(ms) ? (ms as readonly number[]) : [], seconds: Number(text) };
    };
    const uids = Array.from({ length: count }, (_, index) => uidOf(index));
    return { name: 'source', server, uids, versions: new Versions(count), play, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates the namespace and the kinds. Returns a VM as this server shows it; the VM is deleted again. */
async function furnish(server: Credentials, definitions: string): Promise<KubeObject> {
  const connection = await Connection.open(server);
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await connection.must({ method: 'POST', path: '/api/v1/namespaces', body });
  await define(server, definitions);
  const { parts } = await connection.must({
    method: 'POST',
    path: inNamespace,
    body: JSON.stringify(machine(sampleIndex)),
  });
  const path = `${inNamespace}/${nameOf(sampleIndex)}`;
  await harden(server, definitions, `${path}/status`);
  await connection.must({ method: 'DELETE', path });
  connection.close();
  return JSON.parse(Buffer.concat(parts).toString()) as KubeObject;
}
