/**
 * Orders with an OrderTemplate. Everything that can be refused is checked before the first write: the template, the
 * parameters, foreign objects, and changes that disks do not allow. For a new version, the server is also asked in a
 * dry run whether it would accept every object.
 *
 * A change of a template does not change existing VMs: an order that is fulfilled keeps the objects that were created
 * from the old template, and its status says so. The next version of the order (a change of its template, parameters or
 * desiredConfigVersion) applies the template as it is then. Until then drift of that order is not corrected, because
 * the old template is no longer known.
 */
import { defined } from '@ssvirt/base/values/defined';
import { isKind } from '@ssvirt/kube/errors';
import { renderTemplate } from '../../../kubevirt/order/custom/render.ts';
import { isDisk } from '../../../kubevirt/order/custom/disk.ts';
import type { KubeLike } from '../../../kubevirt/tenant-vm/kube-like.ts';
import { unsupported } from '../../../kubevirt/order/mode-problems.ts';
import { problemOf } from '../../../kubevirt/order/parameters/parameters.ts';
import { annotations } from '../../../kubevirt/order/resource.ts';
import { applyChild, nameOf, nothing, readChildren, writing, type FoundChild } from '../children.ts';
import { ensureTemplateDisk, madeDisk, planTemplateDisk, type TemplateDiskPlan } from './disk.ts';
import { cachedAt, typeOf } from './template-kinds.ts';
import { ensureTemplateVm, withPower } from './machine.ts';
import { disksLeftText, prune } from './prune.ts';
import { customRemains, customView, madeOf } from './view.ts';
import { importerMissing, requireImportable } from '../native/disk.ts';
import { refused } from '../operator/step-halted.ts';
import { fieldManager } from '../operator/order-types.ts';
import { reconciledVersion } from '../../../kubevirt/order/aap/aap-marks.ts';
import { kubevirtMissing } from '../native/native.ts';
import type { OrderOutcome } from '../operator/report.ts';
import { applyService } from '../native/service.ts';
import { templateOf, versionOf } from './templates.ts';
import type { OrderWork } from '../work.ts';

interface PlannedObject {
  readonly desired: KubeLike;
  readonly found: FoundChild;
  readonly disk?: TemplateDiskPlan;
}

export interface CustomPlan {
  /** Undefined if the order keeps what was created from an older version of its template. */
  readonly version?: string;
  readonly objects: readonly PlannedObject[];
  readonly warnings: readonly string[];
}

/** `planCustom` throws `Halted`, before anything is written, if the order cannot be fulfilled. */
export async function planCustom(work: OrderWork, desired: string): Promise<CustomPlan> {
  const { operator, order, caches, identity, journal } = work;
  const template = templateOf(caches, order.spec.templateID);
  if (template === undefined) throw refused(unsupported(order.spec.templateID));
  const isNew = reconciledVersion(journal.order) !== desired;
  const version = versionOf(template);
  if (!isNew && madeOf(work)?.version !== version) return { objects: [], warnings: [] };
  const rendering = renderTemplate(
    identity,
    template.spec,
    order.spec.templateParameters,
    operator.config.imageNamespaces,
  );
  if ('problem' in rendering) throw refused(rendering.problem);
  if ('problems' in rendering) throw refused(problemOf(rendering.problems));
  const objects = await plannedObjects(work, rendering.objects);
  if (isNew) for (const object of objects) await rehearse(work, object);
  return { version, objects, warnings: rendering.warnings };
}

export async function provisionCustom(
  work: OrderWork,
  { version, objects }: CustomPlan,
): Promise<Partial<OrderOutcome>> {
  if (version === undefined) return customRemains(work);
  for (const { desired, found, disk } of objects) {
    if (disk !== undefined) await ensureTemplateDisk(work, desired, disk);
    else if (desired.kind === 'VirtualMachine') await ensureTemplateVm(work, desired, found);
    else if (desired.kind === 'Service') await applyService(work, { desired, found });
    else await applyChild(work, { type: typeOf(desired.kind), desired, found });
  }
  const wanted = objects.map(({ desired }) => desired);
  await prune(work, wanted);
  const vmName = wanted.find(({ kind }) => kind === 'VirtualMachine')?.metadata.name;
  // Written before the order counts as fulfilled: a reader who sees it fulfilled must also see from which template.
  await work.journal.annotate({
    [annotations.templateVersion]: `${version}${vmName === undefined ? '' : `/${vmName}`}`,
  });
  return customView(work, wanted, disksLeftText(work, wanted));
}

async function plannedObjects(work: OrderWork, objects: readonly KubeLike[]): Promise<readonly PlannedObject[]> {
  const { caches } = work;
  const has = (kind: string): boolean => objects.some((object) => object.kind === kind);
  if (has('VirtualMachine') && !caches.vms.isServed) throw kubevirtMissing();
  if (has('DataVolume') && !caches.dataVolumes.isServed) throw importerMissing();
  const found = await readChildren(
    work,
    objects.map(({ kind, metadata: { name } }) => ({ type: typeOf(kind), name, cached: cachedAt(work, kind, name) })),
  );
  const planned: PlannedObject[] = [];
  for (const [at, desired] of objects.entries()) {
    const there = found[at] ?? nothing;
    const disk = isDisk(desired) ? await planTemplateDisk(work, desired, there) : undefined;
    if (disk === undefined && there.object === undefined) await requireImportable(work, desired);
    planned.push({ desired, found: there, ...defined({ disk }) });
  }
  return planned;
}

/** A dry run, so that an object that the server refuses leaves nothing half-made. */
async function rehearse(work: OrderWork, { desired, found, disk }: PlannedObject): Promise<void> {
  const { cluster, signal } = work;
  const type = typeOf(desired.kind);
  const options = { signal, dryRun: true } as const;
  if (disk !== undefined && disk.change !== 'create') return;
  const request =
    disk === undefined
      ? () => cluster.client.apply(type, withPower(desired, found), { ...options, fieldManager, force: true })
      : () => cluster.client.create(type, madeDisk(desired, disk), options);
  await writing(work, `write ${nameOf(type, desired.metadata)}`, async () => {
    try {
      await request();
    } catch (error) {
      // Some webhooks do not support dry runs. An object that exists by now is handled by the next reconcile.
      if (isKind(error, 'BadRequest') && error instanceof Error && /dry ?run/i.test(error.message)) return;
      if (!isKind(error, 'AlreadyExists')) throw error;
    }
  });
}
