/**
 * Whether a change of an order is not applied because `spec.desiredConfigVersion` still names the version that was
 * applied before the change. A computed version changes with the spec. A pinned one does not, so the computed version
 * of the applied spec is recorded beside it.
 */
import { configVersion, isComputed } from './config-version.ts';
import type { OrderFacts, OrderSpec } from './resource.ts';

export interface PinnedInput {
  readonly spec: Pick<OrderSpec, 'templateID' | 'templateParameters' | 'desiredConfigVersion'>;
  /** The annotation's value. */
  readonly reconciled: string | undefined;
  /** The previous status. */
  readonly status: Pick<OrderFacts, 'reconciledConfigVersion' | 'reconciledSpecVersion' | 'webhook'> | undefined;
  /** The controller has applied the spec in this reconcile. */
  readonly applied: boolean;
}

export interface PinnedSpec {
  /** The computed version of the spec that was applied last; absent if no version is pinned. */
  readonly reconciledSpecVersion?: string;
  /** The spec has changed since then, and the change will not be applied. */
  readonly isStale: boolean;
}

export function pinnedSpec(input: PinnedInput): PinnedSpec {
  const { spec, reconciled } = input;
  const pinned = spec.desiredConfigVersion;
  if (pinned === undefined || pinned === '' || reconciled === undefined) return { isStale: false };
  const reconciledSpecVersion = appliedSpec(input);
  return { reconciledSpecVersion, isStale: pinned === reconciled && reconciledSpecVersion !== configVersion(spec) };
}

function appliedSpec({ spec, reconciled, status, applied }: PinnedInput): string {
  const now = configVersion(spec);
  if (applied) return now;
  if (status?.reconciledConfigVersion === reconciled && status?.reconciledSpecVersion !== undefined)
    return status.reconciledSpecVersion;
  const { webhook } = status ?? {};
  if (webhook?.action === 'create' && webhook.configVersion === reconciled) {
    if (webhook.specVersion !== undefined) return webhook.specVersion;
    // A call records the version of the spec only if it differs from the config version.
    if (isComputed(reconciled)) return reconciled;
  }
  // It was applied before this was recorded: the present spec is the starting point.
  return now;
}
