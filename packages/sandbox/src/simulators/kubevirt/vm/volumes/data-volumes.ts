/** Creates the DataVolumes of a VM's templates, and returns whether all of them are ready. */
import { isKind } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import { serverWords } from '../../../server-words.ts';
import { dataSources, dataVolumes, type DataVolume, type VirtualMachine } from '../../objects.ts';
import { cloneRefusal } from './clone-authorisation.ts';
import { cloneSourceIn, dataVolumeOf, quotaRefusalOf, sourceRefOf, templatesOf } from './data-volume-of.ts';
import type { CloneSource, DataVolumeTemplate } from './data-volume-of.ts';
import { say, type Shell } from '../shell.ts';

const ready: ReadonlySet<string> = new Set(['Succeeded', 'WaitForFirstConsumer', 'PendingPopulation']);

export async function handleDataVolumes(shell: Shell, vm: VirtualMachine): Promise<boolean> {
  const { namespace = '' } = vm.metadata;
  let allReady = true;
  for (const template of templatesOf(vm)) {
    const known = shell.caches.dataVolumes.get({ namespace, name: template.metadata?.name ?? '' });
    if (known === undefined) await make(shell, vm, template);
    if (known === undefined || !isReady(shell, vm, known)) allReady = false;
  }
  return allReady;
}

function isReady(shell: Shell, vm: VirtualMachine, dataVolume: DataVolume): boolean {
  const phase = dataVolume.status?.phase ?? '';
  const { name } = dataVolume.metadata;
  if (phase === 'Failed')
    say(shell, vm, 'Warning', 'FailedDataVolumeImport', `DataVolume ${name} failed to import disk image`);
  const refusal = phase === 'Pending' ? quotaRefusalOf(dataVolume) : undefined;
  if (refusal !== undefined) {
    say(shell, vm, 'Warning', 'FailedDataVolumeImport', `DataVolume ${name} exceeds quota limits`);
    throw new Error(refusal);
  }
  return ready.has(phase);
}

async function make(shell: Shell, vm: VirtualMachine, template: DataVolumeTemplate): Promise<void> {
  const { client, caches, signal } = shell;
  const clone = await resolved(shell, vm, template);
  const wanted = dataVolumeOf(vm, template, clone);
  const { name = '', namespace = '' } = wanted.metadata;
  if (sourceRefOf(wanted.spec) !== undefined) throw new Error('DataVolume sourceRef not supported');
  if (clone !== undefined) await assertMayClone(shell, vm, name, clone);
  try {
    await client.create(dataVolumes, wanted, { signal });
  } catch (error) {
    if (isKind(error, 'AlreadyExists') && caches.claims.get({ namespace, name }) !== undefined) return;
    const text = serverWords(error);
    say(shell, vm, 'Warning', 'FailedDataVolumeCreate', `Error creating DataVolume ${name}: ${text}`);
    throw new Error(`failed to create DataVolume: ${text}`, { cause: error });
  }
  say(shell, vm, 'Normal', 'SuccessfulDataVolumeCreate', `Created DataVolume ${name}`);
}

/** Returns what the template clones, directly or through a DataSource. */
async function resolved(
  shell: Shell,
  vm: VirtualMachine,
  { spec }: DataVolumeTemplate,
): Promise<CloneSource | undefined> {
  const { namespace = '' } = vm.metadata;
  const reference = sourceRefOf(spec);
  if (reference?.kind !== 'DataSource') return cloneSourceIn(spec['source'], namespace);
  const at = reference.namespace ?? namespace;
  try {
    const source = await dataSourceAt(shell, at, reference.name);
    return cloneSourceIn(source.source, source.namespace);
  } catch (error) {
    throw new Error(`unable to create DataVolume manifest: ${serverWords(error)}`, { cause: error });
  }
}

/** A DataSource may point at another one, which in turn may not. */
async function dataSourceAt(
  { client, signal }: Shell,
  namespace: string,
  name: string,
): Promise<{ readonly namespace: string; readonly source: Readonly<Record<string, unknown>> | undefined }> {
  const sourceOf = (found: Unstructured): Readonly<Record<string, unknown>> | undefined =>
    (found['spec'] as { readonly source?: Readonly<Record<string, unknown>> } | undefined)?.source;
  const source = sourceOf(await client.get(dataSources, { namespace, name }, { signal }));
  const next = source?.['dataSource'] as { readonly namespace?: string; readonly name?: string } | undefined;
  if (next === undefined) return { namespace, source };
  const at = { namespace: next.namespace ?? namespace, name: next.name ?? '' };
  return { namespace: at.namespace, source: sourceOf(await client.get(dataSources, at, { signal })) };
}

async function assertMayClone(shell: Shell, vm: VirtualMachine, name: string, clone: CloneSource): Promise<void> {
  if (clone.kind === 'pvc' && shell.caches.claims.get(clone) === undefined) {
    const text = `Source PVC ${clone.name} not available: Target PVC ${name} will remain unpopulated until source is created`;
    // KubeVirt's own spelling, with the typo.
    say(shell, vm, 'Warning', 'SourcePVCNotAvailabe', text);
  }
  const refusal = await cloneRefusal(shell, vm, clone);
  if (refusal === undefined) return;
  say(shell, vm, 'Warning', 'UnauthorizedDataVolumeCreate', `Not authorized to create DataVolume ${name}: ${refusal}`);
  throw new Error(`not authorized to create DataVolume: ${refusal}`);
}
