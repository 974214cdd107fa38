/**
 * Commands for a newcomer: one example for each interface, and one that fails. Each command works as printed, after
 * those before it.
 */
import { relative, resolve } from 'node:path';
import { ordersNamespace, tenantNamespace } from './cluster.ts';
import type { Folder } from './folder.ts';
import { organization, vdc } from './seeds.ts';
import { annotations as orderAnnotations } from '../../kubevirt/order/resource.ts';

export interface Stop {
  readonly title: string;
  /** One or several lines; all but the first are indented. */
  readonly commands: readonly string[];
}

export interface TourOptions {
  readonly folder: Folder;
  /** The supervisor first. */
  readonly clusters: readonly string[];
  readonly hasAap: boolean;
}

export function tour({ folder, clusters: [, other, last], hasAap }: TourOptions): readonly Stop[] {
  return [
    {
      title: 'A tenant logs in and creates a VM, which the provider sees in the cluster:',
      commands: [`. ${shellWord(nearby(folder.env))}`, ...orderedByTenant()],
    },
    {
      title: `A platform team declares a Machine${other === undefined ? '' : ` in the cluster ${other}`}:`,
      commands: declared(other),
    },
    {
      title: `A service that sells virtual machines creates an order${hasAap ? ', and AAP creates the virtual machine' : ''}:`,
      commands: placed(hasAap),
    },
    ...(last === undefined
      ? []
      : [{ title: `The cluster ${last} fails, which shows within a minute, and recovers:`, commands: lost(last) }]),
  ];
}

function orderedByTenant(): readonly string[] {
  const who = `author@${organization}`;
  return [
    `${bin()} login --user ${who} --password-file "$SSVIRT_PASSWORDS/${who}"`,
    String.raw`${bin()} vm create first --vdc ${vdc} --wait \
  --image quay.io/containerdisks/fedora:42 --instancetype u1.small`,
    `${bin()} vm list`,
    'kubectl get virtualmachines.kubevirt.io --all-namespaces -l app.kubernetes.io/managed-by=ssvirt',
  ];
}

function declared(cluster: string | undefined): readonly string[] {
  const ref = cluster === undefined ? '' : `, "kubevirtConfigRef": "${cluster}"`;
  const context = cluster === undefined ? '' : `--context ${cluster} `;
  return [
    `echo '{"apiVersion": "vitistack.io/v1alpha1", "kind": "Machine",
  "metadata": {"name": "second", "namespace": "default"},
  "spec": {"template": "small"${ref}}}' | kubectl apply -f -`,
    'kubectl -n default wait machines.vitistack.io/second --for condition=Ready --timeout 2m',
    `kubectl ${context}-n default get virtualmachines.kubevirt.io`,
  ];
}

function placed(hasAap: boolean): readonly string[] {
  return [
    `echo '{"apiVersion": "cloudkit.openshift.io/v1alpha1", "kind": "VirtualMachine",
  "metadata": {"name": "third", "namespace": "${ordersNamespace}",
    "annotations": {"${orderAnnotations.managedBy}": "${hasAap ? 'aap' : 'controller'}"}},
  "spec": {"templateID": "osac.templates.ocp_virt_vm", "tenantNamespace": "${tenantNamespace.metadata.name}"}}' |
  kubectl apply -f -`,
    `kubectl -n ${ordersNamespace} wait vmorder/third --for jsonpath='{.status.phase}'=Ready --timeout 3m`,
    `${bin()} order debug third -n ${ordersNamespace}`,
  ];
}

function lost(cluster: string): readonly string[] {
  const wait = (phase: string): string =>
    String.raw`kubectl -n kubevirt-configs wait kubevirtconfig/${cluster} --timeout 3m \
  --for jsonpath='{.status.phase}'=${phase}`;
  return [
    `${bin()} sandbox fault add reset --context ${cluster}`,
    wait('Failed'),
    `${bin()} sandbox fault clear --context ${cluster}`,
    wait('Ready'),
  ];
}

function bin(): string {
  return shellWord(nearby(resolve(import.meta.dirname, '../../../../../bin/ssvirt')));
}

/** The path relative to the current folder, if it is below it. */
function nearby(path: string): string {
  const from = relative(process.cwd(), path);
  return from.startsWith('..') || !from.includes('/') ? path : from;
}

/** `shellWord` quotes a word for the shell if necessary, since folder names may contain spaces. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
