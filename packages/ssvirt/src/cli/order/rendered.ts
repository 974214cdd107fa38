/** The objects that an order would become, in the sequence of their creation. */
import { fields } from '../../kubevirt/facts/reading.ts';
import type { KubeLike } from '../../kubevirt/tenant-vm/kube-like.ts';
import { buildOrder, liveMachine } from '../../kubevirt/order/build.ts';
import { isDisk, templateDisk, withStorageClass } from '../../kubevirt/order/custom/disk.ts';
import { renderTemplate } from '../../kubevirt/order/custom/render.ts';
import { diskClass } from '../../kubevirt/order/disk-change.ts';
import { problemOf, readParameters } from '../../kubevirt/order/parameters/parameters.ts';
import { chooseStorageClass } from '../../kubevirt/order/parameters/storage-class.ts';
import { customTemplate, withExisting, type Judging } from './check-order.ts';
import { identityOf, noUid, type ShownOrder } from './shown-order.ts';
import type { OrderContext } from './context.ts';

export type RenderedOrder =
  | { readonly objects: readonly KubeLike[]; readonly notes: readonly string[] }
  | { readonly problem: string };

/** Not a valid name, so that an API server rejects objects that were rendered without a cluster. */
export const unknownClass = 'CLUSTER-DEFAULT';

export function renderOrder(order: ShownOrder, judging: Judging): RenderedOrder {
  const merged = withExisting(order, judging);
  const identity = identityOf(merged);
  const uidNote =
    identity.uid === noUid ? [`The order does not exist yet: ${noUid} is a placeholder for its uid.`] : [];
  const template = customTemplate(merged.spec.templateID, judging);
  if (template !== undefined) {
    const rendering = renderTemplate(
      identity,
      template.spec,
      merged.spec.templateParameters,
      judging.settings.imageNamespaces,
    );
    if ('problem' in rendering) return { problem: rendering.problem.message };
    if ('problems' in rendering) return { problem: problemOf(rendering.problems).message };
    return withClasses(rendering.objects, judging, [...rendering.warnings, ...uidNote]);
  }
  return renderNative(merged, judging, uidNote);
}

/** Disks without a storage class in the template get the configured class, or the cluster's default. */
function withClasses(
  objects: readonly KubeLike[],
  { settings, context }: Judging,
  notes: readonly string[],
): RenderedOrder {
  const isOpen = (object: KubeLike): boolean => isDisk(object) && templateDisk(object).storageClass === undefined;
  if (!objects.some(isOpen)) return { objects, notes };
  const chosen = newClass(settings.storageClass, context);
  if ('problem' in chosen) return chosen;
  return {
    objects: objects.map((object) => (isOpen(object) ? withStorageClass(object, chosen.name) : object)),
    notes: [...notes, ...chosen.notes],
  };
}

function renderNative(order: ShownOrder, { settings, context }: Judging, uidNote: readonly string[]): RenderedOrder {
  const read = readParameters(order.spec.templateParameters);
  if ('problems' in read) return { problem: problemOf(read.problems).message };
  const disk = classOf(settings.storageClass, context);
  if ('problem' in disk) return disk;
  const { vm, instance } = context?.standing ?? {};
  const objects = buildOrder(identityOf(order), read.parameters, {
    storageClass: disk.name,
    binding: settings.networkBinding,
    ...(vm === undefined ? {} : { live: liveMachine(vm) }),
    ...(instance === undefined ? {} : { instanceLabels: fields(fields(instance['metadata'])['labels']) }),
  });
  return { objects, notes: [...read.warnings, ...disk.notes, ...uidNote] };
}

type ChosenClass = { readonly name: string; readonly notes: readonly string[] } | { readonly problem: string };

/** An existing disk keeps its class. */
function classOf(configured: string | undefined, context: OrderContext | undefined): ChosenClass {
  const { dataVolume, claim } = context?.standing ?? {};
  const frozen = diskClass(dataVolume, claim);
  if (frozen === undefined) return newClass(configured, context);
  return { name: frozen, notes: [`The disk exists and keeps its storage class "${frozen}".`] };
}

function newClass(configured: string | undefined, context: OrderContext | undefined): ChosenClass {
  const wanted = configured?.trim() ?? '';
  if (context === undefined) {
    const note = `Without a cluster the default storage class is unknown: ${unknownClass} is a placeholder for it.`;
    return wanted === '' ? { name: unknownClass, notes: [note] } : { name: wanted, notes: [] };
  }
  const choice = chooseStorageClass(configured, context.classes);
  if ('problem' in choice) return { problem: choice.problem.message };
  return {
    name: choice.name,
    notes: [`A disk without a storage class of its own would use "${choice.name}".`],
  };
}

/** `withoutSecrets` returns a copy in which Secrets show only the lengths of their values. */
export function withoutSecrets(object: KubeLike): KubeLike {
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return object;
  const hidden = (values: unknown, length: (value: string) => number): object =>
    Object.fromEntries(
      Object.entries(fields(values)).map(([key, value]) => [
        key,
        `(${typeof value === 'string' ? length(value) : 0} bytes, shown with --show-secrets)`,
      ]),
    );
  const { data, stringData } = object;
  return {
    ...object,
    ...(data === undefined ? {} : { data: hidden(data, (value) => Buffer.from(value, 'base64').length) }),
    ...(stringData === undefined ? {} : { stringData: hidden(stringData, (value) => Buffer.byteLength(value)) }),
  };
}
