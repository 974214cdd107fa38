/** A problem of an order, for a person and for a program. */
import type { ParameterProblem } from '../../kubevirt/order/parameters/parameters.ts';
import type { OrderProblemReason } from '../../kubevirt/order/resource.ts';
import { shown } from '../../kubevirt/order/shown.ts';

export interface OrderFinding {
  /** The reason that the order's conditions would have; `Invalid` means that the API server would reject the order. */
  readonly reason: OrderProblemReason | 'Invalid';
  /** Such as `spec.templateParameters.cpu_cores`. */
  readonly field: string;
  /** The value in display form. */
  readonly value: string;
  readonly rule?: string;
  readonly remedy?: string;
  /** The complete problem in sentences. */
  readonly message: string;
}

export function ofParameter({ field, value, rule, remedy, message }: ParameterProblem): OrderFinding {
  const path =
    field === 'templateParameters' || field === 'templateID' ? `spec.${field}` : `spec.templateParameters.${field}`;
  const reason = field === 'templateID' ? 'Invalid' : 'InvalidParameters';
  return { reason, field: path, value, rule, remedy, message };
}

/** `invalid` returns a violation of the orders' CRD. */
export function invalid(field: string, value: unknown, rule: string, remedy: string): OrderFinding {
  const said = value === undefined ? 'missing' : shown(value);
  return {
    reason: 'Invalid',
    field,
    value: said,
    rule,
    remedy,
    message: `${field} is ${said}, but must be ${rule}. ${remedy}.`,
  };
}

export function ofProblem(
  { reason, message }: { readonly reason: OrderProblemReason; readonly message: string },
  field: string,
  value: unknown,
): OrderFinding {
  return { reason, field, value: value === undefined ? 'missing' : shown(value), message };
}
