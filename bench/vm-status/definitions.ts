/**
 * The kinds that the controllers watch: KubeVirt's own definitions if there is a copy of them, else light ones that
 * accept everything.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import type { Credentials } from '../../test/cluster/cluster.ts';
import { Connection } from '../sandbox/connection.ts';
import { poll } from '../sandbox/poll.ts';

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

export const machineKind: Kind = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
};
const otherKinds: readonly Kind[] = [
  { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachineInstance', plural: 'virtualmachineinstances' },
  { group: 'cdi.kubevirt.io', version: 'v1beta1', kind: 'DataVolume', plural: 'datavolumes' },
];

const nameOf = ({ plural, group }: Kind): string => `${plural}.${group}`;
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function light(kind: Kind, subresources: JsonObject): KubeObject {
  const { group, version, plural } = kind;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: nameOf(kind) },
    spec: {
      group,
      names: { kind: kind.kind, listKind: `${kind.kind}List`, plural, singular: kind.kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, subresources, schema: { openAPIV3Schema: open } }],
    },
  };
}

function upstream(kind: Kind, folder: string): KubeObject | undefined {
  const file = join(folder, `${nameOf(kind)}.yaml`);
  return existsSync(file) ? (parse(readFileSync(file, 'utf8')) as KubeObject) : undefined;
}

export const hasUpstream = (folder: string): boolean => upstream(machineKind, folder) !== undefined;

/**
 * Creates VMs under a light definition without the status subresource: under KubeVirt's own schema a kube-apiserver
 * takes minutes for ten thousand VMs, and a status cannot be set on create. Measurements use the real definition, see
 * `harden`.
 */
export async function define(server: Credentials, folder: string): Promise<void> {
  const connection = await Connection.open(server);
  const all = [light(machineKind, {}), ...otherKinds.map((kind) => upstream(kind, folder) ?? light(kind, {}))];
  for (const definition of all) await connection.must({ method: 'POST', path, body: JSON.stringify(definition) });
  connection.close();
  for (const kind of [machineKind, ...otherKinds]) await served(server, kind);
}

function served(server: Credentials, { group, version, plural }: Kind): Promise<true> {
  return answers(server, `/apis/${group}/${version}/${plural}?limit=1`);
}

/**
 * Uses a new connection each time: a kube-apiserver that swaps the storage of a kind closes the connections that ask
 * for it.
 */
function answers(server: Credentials, path: string): Promise<true> {
  return poll(`GET ${path} has not answered 200`, async () => {
    const connection = await Connection.open(server);
    const status = await connection.send({ method: 'GET', path }).then(
      (answer) => answer.status,
      () => 0,
    );
    connection.close();
    return status === 200 || undefined;
  });
}

/** Replaces the light definition with the one that is measured. `probe` is a path that answers 200 only after that. */
export async function harden(server: Credentials, folder: string, probe: string): Promise<void> {
  const connection = await Connection.open(server);
  const wanted = upstream(machineKind, folder) ?? light(machineKind, { status: {} });
  const own = `${path}/${nameOf(machineKind)}`;
  const answer = await connection.must({ method: 'GET', path: own });
  const { metadata } = JSON.parse(Buffer.concat(answer.parts).toString()) as { metadata: JsonObject };
  const body = JSON.stringify({
    ...wanted,
    metadata: { ...wanted.metadata, resourceVersion: metadata['resourceVersion'] },
  });
  await connection.must({ method: 'PUT', path: own, body });
  connection.close();
  await answers(server, probe);
}
