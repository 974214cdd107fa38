/**
 * The public surface of `@ssvirt/kube`: what a controller outside this repository needs. Every other module may change
 * without notice. Code in this repository imports the modules themselves, which keeps the start of a process short.
 */

// Objects and kinds.
export {
  keyOf,
  keyOfObject,
  parseKey,
  type KubeObject,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
  type Unstructured,
} from './object.ts';
export { apiVersionOf, pathOf, resourceName, type ResourceType } from './resource-type.ts';

// Connections, clients and their errors.
export { loadKubeconfig, type LoadOptions } from './kubeconfig/load.ts';
export type { Connection, ConnectionSource, TlsIdentity } from './connection.ts';
export { connectCluster, type ConnectClusterOptions, type ConnectedCluster } from './connect-cluster.ts';
export type { Cluster } from './cluster.ts';
export { createClient, type ClientOptions } from './client/create.ts';
export type {
  ApplyOptions,
  Client,
  Deleted,
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectList,
  Patch,
  RequestOptions,
  WatchEvent,
  WatchOptions,
  WatchStream,
  WriteOptions,
} from './client/client.ts';
export { KubeError, isConflict, isKind, isNotFound, isRefusal, type ErrorKind, type Status } from './errors.ts';
export { errorFields, type ErrorFields } from './error-fields.ts';

// Caches.
export type { Handler, Informer, InformerOptions, Projection, Registration } from './informer/informer.ts';
export { createInformers, type Informers, type InformersOptions } from './informer/informers.ts';
export { cachesReady } from './informer/ready.ts';
export { perCluster } from './per-cluster.ts';

// Controllers.
export { createController, type Controller, type ControllerOptions } from './controller/controller.ts';
export { TerminalError, type Reconciler, type Request, type Result } from './controller/request.ts';
export type { ClusterContext } from './controller/workers.ts';
export { enqueueMapped, enqueueObject, enqueueOwner, type ChangeHandler } from './controller/handlers.ts';
export { external, watches, type ExternalSource } from './controller/sources.ts';
export type { Source } from './controller/source.ts';
export {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelector,
  not,
  or,
  resourceVersionChanged,
  type Predicate,
} from './controller/predicates.ts';

// Building blocks of a reconciler.
export { reconcileObject, type ReconcileShape, type ShapedStatus, type Step } from './reconcile/shape.ts';
export { Applier, NotOurs, type Applied, type ApplierOptions } from './reconcile/apply-child.ts';
export { childOf } from './reconcile/managed-fields.ts';
export { createOrPatch, find } from './reconcile/create-or-patch.ts';
export { deleteInOrder, type DeletionStep, type Doomed, type Removal } from './reconcile/delete-in-order.ts';
export { addFinalizer, hasFinalizer, isDeleting, removeFinalizer } from './reconcile/finalizers.ts';
export { controllerOf, isControlledBy, withController } from './reconcile/owners.ts';
export {
  Conditions,
  findCondition,
  isConditionTrue,
  type Condition,
  type ConditionStatus,
} from './reconcile/conditions.ts';
export { patchStatus } from './reconcile/status-patch.ts';
export { mergePatch } from './reconcile/merge-patch.ts';

// The process.
export { createElector, type Elector, type ElectorOptions } from './leader-election/elector.ts';
export { createManager, type Manager, type ManagerOptions } from './manager/manager.ts';
export type { Runnable, RunContext } from './manager/runnable.ts';
export { runUntilSignal, type ProcessOptions } from './manager/run-until-signal.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
