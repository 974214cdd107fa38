/** What the API server must know of a built-in kind beyond its schema: defaults, what a client may write, validation. */
import type { FieldError } from '../api/status.ts';
import type { KubeObject } from '../json.ts';
import type { ServiceAllocator } from './service-allocation.ts';

export interface KindBehaviour {
  /** Fills in defaults, in place. Runs on every write, before admission and validation. */
  default?: (object: KubeObject) => void;
  /** Removes or sets what a client may not write (status on create, spec.finalizers of a namespace …), in place. */
  prepareForCreate?: (object: KubeObject) => void;
  /** The same for an update of the main resource; the server has already bumped nothing. In place. */
  prepareForUpdate?: (object: KubeObject, old: KubeObject) => void;
  /** The status subresource: everything but status is taken from `old`. In place. */
  prepareForStatusUpdate?: (object: KubeObject, old: KubeObject) => void;
  /** Object metadata is validated by the server for all kinds with `nameRule`; this is the rest. */
  validate?: (object: KubeObject) => FieldError[];
  /** The whole check of an update: it includes what `validate` finds. `behaviourOf` fills it in where it adds nothing. */
  validateUpdate?: (object: KubeObject, old: KubeObject) => FieldError[];
  validateStatusUpdate?: (object: KubeObject, old: KubeObject) => FieldError[];
  /** Namespaces' `finalize` subresource, which alone may write spec.finalizers. */
  finalize?: {
    prepareForUpdate: (object: KubeObject, old: KubeObject) => void;
    validateUpdate: (object: KubeObject, old: KubeObject) => FieldError[];
  };
  /** Services' addresses and node ports. Runs before the prepare functions; throws a StatusError. In place. */
  allocate?: (object: KubeObject, old: KubeObject | undefined, allocator: ServiceAllocator) => void;
  /** What the first request to delete an object writes into it (a definition's finalizer). In place. */
  prepareForDelete?: (object: KubeObject) => void;
  /** Lines for the Warning header. */
  warnings?: (object: KubeObject, old: KubeObject | undefined) => string[];
  /** The group that a 422 names, where it is not the kind's own (Events of events.k8s.io are core's to the server). */
  errorGroup?: string;
  /** A line for the Warning header of every request for this kind, reads included. */
  deprecation?: string;
  /** How names of this kind are checked; default is the DNS subdomain. */
  nameRule?: 'dns1123subdomain' | 'dns1123label' | 'dns1035label' | 'pathSegment';
  /** A PUT on a name that does not exist creates it (Lease, Event, Service …). */
  allowCreateOnUpdate?: boolean;
  /** A PUT without resourceVersion is accepted (most kinds). Default true. */
  allowUnconditionalUpdate?: boolean;
  /** Whether `metadata.generation` is kept: set to 1 on create and raised when the spec changes. Default false for built-in kinds. */
  hasGeneration?: boolean;
  /**
   * Fields besides metadata.name and metadata.namespace that a fieldSelector may name, with their value. Kinds with such
   * fields refuse others with `field label not supported: x`, the rest with
   * `"x" is not a known field selector: only "metadata.name", "metadata.namespace"`.
   */
  selectableFields?: (object: KubeObject) => Record<string, string>;
  /** Graceful deletion: the grace period that applies to this object when the client names none; 0 deletes at once. */
  defaultGracePeriodSeconds?: (object: KubeObject) => number;
}
