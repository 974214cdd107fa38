/**
 * Which namespaces an order may use for its objects. The operator has more permissions than the author of an order, so
 * any namespace other than the order's own must declare that it accepts orders from there: only administrators can
 * write that.
 */
import { fields, known, text } from '../facts/reading.ts';
import { isSystemNamespace } from '../facts/system-namespace.ts';
import { annotations as annotationNames, labels as labelNames, type OrderProblem } from './resource.ts';
import { shown } from './shown.ts';
import { tenantOf, type PlacedOrder } from './tenant.ts';

export interface NamespaceFacts {
  readonly name: string;
  /** From the label: the namespace whose orders may use it. */
  readonly project?: string;
  /** From the annotation: further namespaces. */
  readonly orderNamespaces?: readonly string[];
  readonly isTerminating?: true;
}

export interface OrderPlace {
  readonly namespace: string;
  readonly tenantNamespace: string;
}

export function namespaceFacts(object: unknown): NamespaceFacts {
  const { metadata, status } = fields(object);
  const { name, labels, annotations, deletionTimestamp } = fields(metadata);
  const isTerminating = deletionTimestamp !== undefined || fields(status)['phase'] === 'Terminating';
  return known<NamespaceFacts>({
    name: text(name) ?? '',
    project: text(fields(labels)[labelNames.project]),
    orderNamespaces: listed(fields(annotations)[annotationNames.orderNamespaces]),
    isTerminating: isTerminating ? true : undefined,
  });
}

/** `found` is the tenant namespace. */
export function bindingProblem(
  { namespace, tenantNamespace }: OrderPlace,
  found: NamespaceFacts | undefined,
): OrderProblem | undefined {
  const isOwn = namespace === tenantNamespace;
  const tenant = shown(tenantNamespace);
  // The order itself proves that its own namespace exists, whatever a cache contains.
  if (found === undefined)
    return isOwn
      ? undefined
      : {
          reason: 'NamespaceNotFound',
          message: `spec.tenantNamespace: the namespace ${tenant} does not exist: ask an administrator to create it and bind it to ${shown(namespace)} (${howToBind(namespace)}).`,
        };
  if (!isOwn && !isBound(namespace, found))
    return {
      reason: 'NamespaceNotBound',
      message: `spec.tenantNamespace: the namespace ${tenant} is not bound to ${shown(namespace)}, so an order there may not make anything in it: ask an administrator to bind it (${howToBind(namespace)}).`,
    };
  if (found.isTerminating === true)
    return {
      reason: 'NamespaceTerminating',
      message: `The namespace ${tenant} is being deleted, and nothing can be made in it: delete the order, or wait until the namespace is gone and has been created again.`,
    };
  return undefined;
}

/** `secretsProblem` is for a namespace that is bound but has no RoleBinding for the operator's account. */
export function secretsProblem(tenantNamespace: string): OrderProblem {
  return {
    reason: 'SecretsForbidden',
    message: `The cloudkit-operator has no rights on Secrets in namespace ${shown(tenantNamespace)}: ask an administrator to apply the output of "ssvirt order bind-namespace ${tenantNamespace}".`,
  };
}

/**
 * `tenantsToBind` lists the namespaces in which an administrator binds the operator for these orders: those that exist
 * and accept their order. The writer of an order does not decide where the operator has Secrets. `own` is the namespace
 * of the operator.
 */
export function tenantsToBind(
  orders: readonly PlacedOrder[],
  find: (name: string) => NamespaceFacts | undefined,
  own: string,
): readonly string[] {
  const accepting = orders.flatMap((order) => {
    const name = tenantOf(order);
    const found = find(name);
    if (found === undefined || name === own || isSystemNamespace(name)) return [];
    const place = { namespace: order.metadata.namespace ?? '', tenantNamespace: name };
    return bindingProblem(place, found) === undefined ? [name] : [];
  });
  return [...new Set(accepting)];
}

function isBound(namespace: string, { project, orderNamespaces = [] }: NamespaceFacts): boolean {
  return namespace !== '' && (project === namespace || orderNamespaces.includes(namespace));
}

function howToBind(namespace: string): string {
  return `label "${labelNames.project}: ${namespace}", or the annotation "${annotationNames.orderNamespaces}" that names it`;
}

function listed(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'string') return undefined;
  const names = value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return names.length === 0 ? undefined : names;
}
