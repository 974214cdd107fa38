/** Checks an order by the operator's own rules: those that need no cluster, and with a cluster also the others. */
import { defined } from '@ssvirt/base/values/defined';
import { desiredVersion } from '../../kubevirt/order/config-version.ts';
import { renderTemplate } from '../../kubevirt/order/custom/render.ts';
import { diskChange } from '../../kubevirt/order/disk-change.ts';
import { mayTake } from '../../kubevirt/order/identity.ts';
import { decideMode, type ModeDecision, type TemplateClass } from '../../kubevirt/order/mode.ts';
import { childNames, nameProblem } from '../../kubevirt/order/names.ts';
import { bindingProblem } from '../../kubevirt/order/namespace.ts';
import { readParameters, type OrderParameters } from '../../kubevirt/order/parameters/parameters.ts';
import { annotations, type Mode } from '../../kubevirt/order/resource.ts';
import { chooseStorageClass } from '../../kubevirt/order/parameters/storage-class.ts';
import { templateClass as classOf } from '../../kubevirt/order/parameters/template-class.ts';
import { tenantOf } from '../../kubevirt/order/tenant.ts';
import { hasAapFinalizer, reconciledVersion, aapMarks } from '../../kubevirt/order/aap/aap-marks.ts';
import { checkOrder, type ShownParameters } from '../../kubevirt/order/parameters/order-check.ts';
import { invalid, ofParameter, ofProblem, type OrderFinding } from './finding.ts';
import { identityOf, type ShownOrder, type ShownOrderTemplate } from './shown-order.ts';
import type { OrderSettings } from './settings.ts';
import { templateOf, type OrderContext } from './context.ts';

export interface Judged {
  readonly name: string;
  readonly namespace?: string;
  readonly templateID?: string;
  readonly ok: boolean;
  /** The mode in which it would be provisioned, if that is known. */
  readonly provisionedBy?: Mode;
  readonly problems: readonly OrderFinding[];
  readonly warnings: readonly string[];
  /** The parsed parameters, without what only the guest may read. */
  readonly parameters?: ShownParameters;
  /** The storage class of the disk, if a cluster was queried and a disk would be created. */
  readonly storageClass?: string;
}

export interface Judging {
  readonly settings: OrderSettings;
  /** The templates in the same file as the order. */
  readonly templates: readonly ShownOrderTemplate[];
  readonly context?: OrderContext | undefined;
}

export function judge(order: ShownOrder, judging: Judging): Judged {
  const { name = '', namespace } = order.metadata;
  const { templateID } = order.spec;
  const merged = withExisting(order, judging);
  const decision = modeOf(merged, judging);
  const mode = decision !== undefined && 'mode' in decision && !isByLot(merged, judging) ? decision.mode : undefined;
  const check = parameterCheck(merged, judging);
  const placed = judging.context === undefined ? { problems: [] } : inCluster(merged, mode, judging);
  const problems = [
    ...(decision !== undefined && 'problem' in decision ? [ofMode(order, decision.problem)] : []),
    ...nameFindings(order, judging),
    ...check.problems,
    ...placed.problems,
  ];
  return {
    name,
    ...defined({ namespace }),
    templateID,
    ok: problems.length === 0,
    ...defined({ provisionedBy: mode }),
    problems,
    warnings: [...check.warnings, ...(judging.context?.unread ?? []).map(notRead)],
    ...defined({ parameters: check.parameters, storageClass: placed.storageClass }),
  };
}

function notRead(kind: string): string {
  return `You have no permission to read ${kind} in this cluster: checks that need them were skipped.`;
}

type ParameterCheck = Pick<Judged, 'problems' | 'warnings' | 'parameters'>;

/** Checks template and parameters. */
function parameterCheck(order: ShownOrder, judging: Judging): ParameterCheck {
  const { templateID, templateParameters } = order.spec;
  const { nativeTemplates: native, floatingIpTemplates: floatingIp } = judging.settings;
  const template = customTemplate(templateID, judging);
  if (template === undefined) {
    const { problems, ...rest } = checkOrder(order.spec, { native, floatingIp });
    return { ...rest, problems: problems.map(ofParameter) };
  }
  const rendering = renderTemplate(
    identityOf(order),
    template.spec,
    templateParameters,
    judging.settings.imageNamespaces,
  );
  if ('objects' in rendering) return { problems: [], warnings: rendering.warnings };
  if ('problems' in rendering) return { problems: rendering.problems.map(ofParameter), warnings: [] };
  return { problems: [ofProblem(rendering.problem, 'spec.templateID', templateID)], warnings: [] };
}

export function customTemplate(templateID: string, judging: Judging): ShownOrderTemplate | undefined {
  const { settings, templates, context } = judging;
  if ([...settings.nativeTemplates, ...settings.floatingIpTemplates].includes(templateID)) return undefined;
  // A template in the file takes precedence over existing ones.
  return templateOf(templates, templateID) ?? templateOf(context?.templates ?? [], templateID);
}

export function templateClass(templateID: string, judging: Judging): TemplateClass {
  return classOf(templateID, judging.settings, (id) => customTemplate(id, judging) !== undefined);
}

/**
 * Merges the existing order into the given one: the spec is that of the file, the uid and the mode are the existing
 * ones.
 */
export function withExisting(order: ShownOrder, { context }: Judging): ShownOrder {
  const existing = context?.existing;
  if (existing === undefined) return order;
  return {
    ...existing,
    metadata: {
      ...existing.metadata,
      annotations: { ...existing.metadata.annotations, ...order.metadata.annotations },
    },
    spec: order.spec,
  };
}

/** `modeOf` returns undefined if only a cluster could tell. */
export function modeOf(order: ShownOrder, judging: Judging): ModeDecision | undefined {
  const { settings, context } = judging;
  const template = templateClass(order.spec.templateID, judging);
  const managedBy = order.metadata.annotations?.[annotations.managedBy];
  const isOpen = template === 'unknown' && context === undefined;
  if (isOpen && (managedBy === undefined || managedBy === 'controller')) return undefined;
  const { uid = '' } = order.metadata;
  const { status } = order;
  return decideMode({
    uid,
    templateID: order.spec.templateID,
    template,
    managedBy,
    provisionedBy: status?.provisionedBy,
    hasAapMarks: hasAapFinalizer(order) || reconciledVersion(order) !== undefined,
    desired: desiredVersion(order.spec),
    reconciled: reconciledVersion(order),
    fallbackConfigVersion: status?.fallbackConfigVersion,
    controllerMode: settings.controllerMode,
    rolloutPercentage: settings.rolloutPercentage,
    webhook: status?.webhook,
    quietPeriodMs: settings.quietPeriodMs,
    now: Date.now(),
  });
}

/** With a rollout percentage the uid decides, which an order has only once it exists. */
function isByLot({ metadata, spec }: ShownOrder, judging: Judging): boolean {
  const { rolloutPercentage: percentage, controllerMode } = judging.settings;
  const isOpen = metadata.uid === undefined && metadata.annotations?.[annotations.managedBy] === undefined;
  return (
    isOpen &&
    controllerMode &&
    percentage > 0 &&
    percentage < 100 &&
    templateClass(spec.templateID, judging) === 'native'
  );
}

function ofMode(order: ShownOrder, problem: Parameters<typeof ofProblem>[0]): OrderFinding {
  return problem.reason === 'UnsupportedTemplate'
    ? ofProblem(problem, 'spec.templateID', order.spec.templateID)
    : ofProblem(
        problem,
        `metadata.annotations["${annotations.managedBy}"]`,
        order.metadata.annotations?.[annotations.managedBy],
      );
}

/** AAP checks names itself. Without the annotation the mode is not known here. */
function nameFindings(order: ShownOrder, judging: Judging): readonly OrderFinding[] {
  const { name = '', annotations: notes } = order.metadata;
  const isAaps =
    notes?.[annotations.managedBy] === 'aap' || templateClass(order.spec.templateID, judging) === 'floating-ip';
  const wrong = isAaps ? undefined : nameProblem({ name });
  return wrong === undefined ? [] : [ofProblem(wrong, 'metadata.name', name)];
}

interface Placed {
  readonly problems: readonly OrderFinding[];
  readonly storageClass?: string;
}

function inCluster(order: ShownOrder, mode: Mode | undefined, judging: Judging): Placed {
  const { context } = judging;
  if (context === undefined) return { problems: [] };
  const mayRead = (kind: string): boolean => !context.unread.includes(kind);
  const place = mayRead('namespaces') ? [...ownPlace(order, context), ...tenantPlace(order, context)] : [];
  if (mode !== 'controller' || templateClass(order.spec.templateID, judging) !== 'native') return { problems: place };
  const made = mayRead('storageclasses.storage.k8s.io') ? disk(order, judging.settings, context) : { problems: [] };
  return { ...made, problems: [...place, ...parts(context), ...conflicts(order, context), ...made.problems] };
}

function ownPlace(
  { metadata: { namespace = '' } }: ShownOrder,
  { ownNamespace }: OrderContext,
): readonly OrderFinding[] {
  if (ownNamespace !== undefined) return [];
  return [invalid('metadata.namespace', namespace, 'a namespace that exists', 'Create it, or name another')];
}

function tenantPlace(order: ShownOrder, { tenant, existing }: OrderContext): readonly OrderFinding[] {
  const { namespace = '' } = order.metadata;
  const tenantNamespace = tenantOf(order);
  const unbound = bindingProblem({ namespace, tenantNamespace }, tenant);
  const before = existing?.spec.tenantNamespace;
  return [
    ...(existing === undefined || before === order.spec.tenantNamespace
      ? []
      : [
          invalid(
            'spec.tenantNamespace',
            order.spec.tenantNamespace,
            `${before === undefined ? 'absent' : `"${before}"`}, as in the existing order`,
            'Set it back, or create a new order: an order never moves to another namespace',
          ),
        ]),
    ...(unbound === undefined ? [] : [ofProblem(unbound, 'spec.tenantNamespace', tenantNamespace)]),
  ];
}

function parts({ hasKubeVirt }: OrderContext): readonly OrderFinding[] {
  if (hasKubeVirt) return [];
  const message = 'The cluster has no KubeVirt: ask an administrator to install it.';
  return [ofProblem({ reason: 'Refused', message }, 'cluster', 'without KubeVirt')];
}

function conflicts(order: ShownOrder, { standing }: OrderContext): readonly OrderFinding[] {
  const identity = identityOf(order);
  const names = childNames(identity);
  const places = [
    ['Secret', names.cloudInitSecret, standing.cloudInitSecret],
    ['DataVolume', names.dataVolume, standing.dataVolume],
    ['VirtualMachine', names.vm, standing.vm],
    ['Service', names.service, standing.service],
    ...(parametersOf(order)?.sshPublicKey === undefined
      ? []
      : [['Secret', names.sshKeySecret, standing.sshKeySecret] as const]),
    ...(standing.dataVolume === undefined
      ? [['PersistentVolumeClaim', names.dataVolume, standing.claim] as const]
      : []),
  ] as const;
  const before = aapMarks(order) ? 'aap' : order.status?.provisionedBy;
  return places
    .filter(([, , object]) => object !== undefined && !mayTake(identity, before, object))
    .map(([kind, name]) => {
      const message = `${kind} "${identity.tenantNamespace}/${name}" exists and belongs to something else: delete or rename it, or give the order another name.`;
      return ofProblem({ reason: 'NameConflict', message }, 'metadata.name', identity.name);
    });
}

function disk(
  order: ShownOrder,
  settings: OrderSettings,
  { standing, classes, hasDataImporter }: OrderContext,
): Placed {
  const parameters = parametersOf(order);
  if (parameters === undefined) return { problems: [] };
  const change = diskChange(parameters, standing.dataVolume, standing.claim, classes);
  if (change === 'keep' || (typeof change === 'object' && 'grow' in change)) return { problems: [] };
  if (typeof change === 'object')
    return {
      problems: [ofProblem(change.problem, 'spec.templateParameters', 'a change that the disk does not permit')],
    };
  const missing =
    'The cluster has no CDI (Containerized Data Importer), which disks need: ask an administrator to install it.';
  const importer = hasDataImporter
    ? []
    : [ofProblem({ reason: 'DataImporterMissing', message: missing }, 'cluster', 'without CDI')];
  const choice = chooseStorageClass(settings.storageClass, classes);
  if ('name' in choice) return { problems: importer, storageClass: choice.name };
  return { problems: [...importer, ofProblem(choice.problem, 'cloudkit.storageClass', settings.storageClass)] };
}

function parametersOf({ spec }: ShownOrder): OrderParameters | undefined {
  const read = readParameters(spec.templateParameters);
  return 'parameters' in read ? read.parameters : undefined;
}
