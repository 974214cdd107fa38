/** Whether an order's name can also be the name of its objects. */
import type { OrderProblem } from './resource.ts';
import { shown } from './shown.ts';

export { childNames, type ChildNames } from './child-names.ts';

/** The Service's name is a DNS label of at most 63 characters, and `-load-balancer` takes 14 of them. */
const LONGEST = 49;

const LONGEST_LABEL = 63;

/** The rule for Services: RFC 1035, where a label begins with a letter. */
const serviceLabel = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;

/** Kubernetes allows more names for an order than for its objects. */
export function nameProblem({ name }: { readonly name: string }): OrderProblem | undefined {
  const wrong = whatIsWrong(name);
  if (wrong === undefined) return undefined;
  return {
    reason: 'InvalidName',
    message: `metadata.name ${shown(name)} ${wrong}: the order's Service "NAME-load-balancer" must be a DNS label, so NAME has at most ${LONGEST} characters of a-z, 0-9 and "-", begins with a letter and ends with a letter or digit. A name cannot be changed: delete the order and write one with another name.`,
  };
}

function whatIsWrong(name: string): string | undefined {
  if (name.length > LONGEST) return `has ${name.length} characters`;
  if (name.includes('.')) return 'has a dot';
  if (/^[0-9]/.test(name)) return 'begins with a digit';
  return serviceLabel.test(name) ? undefined : 'is not a DNS label';
}

/** `canBeLabel` returns whether objects can be labeled with it, as AAP's are: a server refuses a selector with a longer value. */
export function canBeLabel(name: string): boolean {
  return name.length <= LONGEST_LABEL;
}
