/**
 * A supervisor and its members: clusters of one sandbox process without simulators. Objects are only stored and
 * watched, so the figures are those of the operator and the API servers, not of simulators.
 */
import { namespaces } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { install, kubevirtConfigDefinition } from '../../test/fleet/definition.ts';
import { configsNamespace, installKubeVirt, putConfig } from '../../test/fleet/harness.ts';
import { definitionOf } from '../../test/machine-operator/definitions.ts';
import { startSandbox, type SandboxProcess, type Server } from '../operator/sandbox.ts';
import { makeStorageClass } from '../operator/storage-class.ts';

export interface Harness extends Omit<SandboxProcess, 'servers'> {
  readonly supervisor: Server;
  readonly members: readonly Server[];
}

export async function startHarness(clusters: number): Promise<Harness> {
  const sandbox = await startSandbox(['--bare', '--clusters', String(clusters + 1)], 'bench-machine');
  try {
    const { servers, ...rest } = sandbox;
    const [supervisor, ...members] = servers;
    if (supervisor === undefined) throw new Error('the sandbox has no cluster');
    await furnishSupervisor(supervisor, members);
    await Promise.all(members.map(furnishMember));
    return { ...rest, supervisor, members };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

async function furnishSupervisor(supervisor: Server, members: readonly Server[]): Promise<void> {
  const { client } = supervisor;
  const own = [definitionOf('machines'), definitionOf('networkconfigurations')];
  await install(client, kubevirtConfigDefinition(), ...own);
  await client.create(namespaces, { metadata: { name: configsNamespace } });
  for (const member of members) await putConfig(supervisor, member.name, member);
}

async function furnishMember(member: Server): Promise<void> {
  await installKubeVirt(member);
  await makeStorageClass(member.client);
}
