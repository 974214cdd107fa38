/** `LabelSelector` is Kubernetes' label selector, as in specs. An empty one selects everything. */

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

export function selectsLabels(selector: LabelSelector, labels: Labels | undefined): boolean {
  const own = labels ?? {};
  return (
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => valueOf(own, key) === value) &&
    (selector.matchExpressions ?? []).every((requirement) => meets(requirement, own))
  );
}

/** `checkSelector` throws for an invalid selector, so that it fails where it is written and not at a later event. */
export function checkSelector(selector: LabelSelector): void {
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const wantsValues = operator === 'In' || operator === 'NotIn';
    const known = wantsValues || operator === 'Exists' || operator === 'DoesNotExist';
    if (!known) throw new TypeError(`cannot select labels: "${String(operator)}" is not an operator (key "${key}")`);
    if (wantsValues !== values.length > 0)
      throw new TypeError(
        `cannot select labels: ${operator} ${wantsValues ? 'needs' : 'takes no'} values (key "${key}")`,
      );
  }
}

function meets({ key, operator, values = [] }: LabelRequirement, labels: Labels): boolean {
  const value = valueOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

/** Labels are external data: a key such as `constructor` must not find an inherited property. */
function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
