/** Order templates: parameters with defaults, and objects into which they are filled. */
import type { KubeLike } from '../../tenant-vm/kube-like.ts';

export interface OrderTemplateSpec {
  /** The id by which orders name it. */
  readonly templateID: string;
  readonly description?: string;
  readonly parameters?: readonly TemplateParameter[];
  /**
   * In the sequence of their creation; `${name}` stands for a parameter, also `${ORDER_NAME}` and
   * `${TENANT_NAMESPACE}`.
   */
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
