/** The behavior of a built-in kind beyond its schema: defaults, fields that clients cannot write, validation. */
import type { FieldError } from '../../server/api/status.ts';
import type { KubeObject } from '../../values/json.ts';
import type { ServiceAllocator } from './service/service-allocation.ts';

export interface KindBehaviour {
  /** Fills in defaults, in place. Runs on every write, before admission and validation. */
  default?: (object: KubeObject) => void;
  /**
   * Removes or sets fields that clients cannot write (status on create, spec.finalizers of a namespace …), in place.
   */
  prepareForCreate?: (object: KubeObject) => void;
  /** The same for an update of the main resource. The generation is not incremented yet. In place. */
  prepareForUpdate?: (object: KubeObject, old: KubeObject) => void;
  /** The status subresource: everything but status is taken from `old`. In place. */
  prepareForStatusUpdate?: (object: KubeObject, old: KubeObject) => void;
  /** The server validates metadata of all kinds with `nameRule`; this validates the rest. */
  validate?: (object: KubeObject) => FieldError[];
  /** The complete validation of an update, including `validate`. `behaviourOf` sets it when it adds nothing. */
  validateUpdate?: (object: KubeObject, old: KubeObject) => FieldError[];
  validateStatusUpdate?: (object: KubeObject, old: KubeObject) => FieldError[];
  /** The `finalize` subresource of namespaces, the only one that can write spec.finalizers. */
  finalize?: {
    prepareForUpdate: (object: KubeObject, old: KubeObject) => void;
    validateUpdate: (object: KubeObject, old: KubeObject) => FieldError[];
  };
  /**
   * Allocates addresses and node ports of Services. Runs before the prepare functions; throws a StatusError. In place.
   */
  allocate?: (object: KubeObject, old: KubeObject | undefined, allocator: ServiceAllocator) => void;
  /** Changes the object on the first request to delete it (adds a definition's finalizer). In place. */
  prepareForDelete?: (object: KubeObject) => void;
  /** Lines for the Warning header. */
  warnings?: (object: KubeObject, old: KubeObject | undefined) => string[];
  /** The group in a 422, if it is not the kind's own (to the server, Events of events.k8s.io belong to core). */
  errorGroup?: string;
  /** A line for the Warning header of every request for this kind, including reads. */
  deprecation?: string;
  /** The name rule; the default is the DNS subdomain. */
  nameRule?: 'dns1123subdomain' | 'dns1123label' | 'dns1035label' | 'pathSegment';
  /** A PUT on a name that does not exist creates it (Lease, Event, Service …). */
  allowCreateOnUpdate?: boolean;
  /** A PUT without resourceVersion is accepted (most kinds). Default true. */
  allowUnconditionalUpdate?: boolean;
  /**
   * Whether `metadata.generation` is maintained: set to 1 on create and incremented when the spec changes. The default
   * for built-in kinds is false.
   */
  hasGeneration?: boolean;
  /**
   * The fields, besides metadata.name and metadata.namespace, that a fieldSelector can use, with their values. Kinds
   * with such fields reject others with `field label not supported: x`, all other kinds with `"x" is not a known field
   * selector: only "metadata.name", "metadata.namespace"`.
   */
  selectableFields?: (object: KubeObject) => Record<string, string>;
  /** Graceful deletion: the grace period of this object when the client requests none; 0 deletes at once. */
  defaultGracePeriodSeconds?: (object: KubeObject) => number;
}
