/** Builds a plain create request for what ssvirt created in a cluster, as a client without ssvirt would send it. */
import type { Credentials } from '../../test/cluster/cluster.ts';
import { Connection, type Call } from '../sandbox/connection.ts';
import { numberMark } from './load-job.ts';

type Texts = Readonly<Record<string, string>>;

export interface MadeMachine {
  readonly metadata: { readonly name: string; readonly labels?: Texts; readonly annotations?: Texts };
  readonly spec: object;
}

/**
 * Returns a request that creates a copy of the VM in another namespace. It creates that namespace, which ssvirt does
 * not manage.
 */
export async function plainCreation(cluster: Credentials, from: string, to: string): Promise<Call> {
  const connection = await Connection.open(cluster);
  const ask = async (call: Call): Promise<unknown> =>
    JSON.parse(Buffer.concat((await connection.must(call)).parts).toString());
  try {
    const path = (namespace: string): string => `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`;
    const { items } = (await ask({ method: 'GET', path: path(from) })) as { readonly items: readonly MadeMachine[] };
    const [machine] = items;
    if (machine === undefined) throw new Error(`there is no virtual machine in the namespace ${from}`);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: to } };
    await ask({ method: 'POST', path: '/api/v1/namespaces', body: JSON.stringify(namespace) });
    return { method: 'POST', path: path(to), body: plainText(machine, to) };
  } finally {
    connection.close();
  }
}

/** Without server-set fields, and with labels that ssvirt does not own. */
export function plainText({ metadata: { name, labels, annotations }, spec }: MadeMachine, namespace: string): string {
  const machine = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace, labels, annotations },
    spec,
  };
  // The replacements have the same lengths. The names of the VM's parts derive from its name.
  return JSON.stringify(machine)
    .replaceAll('ssvirt.io/', 'plain.xyz/')
    .replaceAll('openshift.io/', 'openplain.io/')
    .replaceAll(name, `plain-${numberMark}`);
}
