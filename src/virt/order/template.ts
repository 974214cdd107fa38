/** Templates that people write: parameters with defaults, and objects in which they are put. */
import type { KubeLike } from '../machine/kube-like.ts';

export interface OrderTemplateSpec {
  /** By which orders name it. */
  readonly templateID: string;
  readonly description?: string;
  readonly parameters?: readonly TemplateParameter[];
  /** In the order in which they are made; `${name}` stands for a parameter, also `${ORDER_NAME}` and `${TENANT_NAMESPACE}`. */
  readonly objects: readonly KubeLike[];
}

export interface TemplateParameter {
  readonly name: string;
  readonly description?: string;
  readonly type?: 'string' | 'integer' | 'boolean' | 'quantity';
  readonly required?: boolean;
  readonly default?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}
