/**
 * Whether a change of an order is left undone because `spec.desiredConfigVersion` still names the version that was applied before it. A version that is computed
 * changes with the spec; one that is pinned does not, so the spec that was applied is remembered beside it.
 */
import { configVersion } from './config-version.ts';
import type { OrderFacts, OrderSpec } from './resource.ts';

export interface PinnedInput {
  readonly spec: Pick<OrderSpec, 'templateID' | 'templateParameters' | 'desiredConfigVersion'>;
  /** The annotation's value. */
  readonly reconciled: string | undefined;
  /** As it was told before. */
  readonly status: Pick<OrderFacts, 'reconciledConfigVersion' | 'reconciledSpecVersion' | 'webhook'> | undefined;
  /** The controller has applied the spec in this round. */
  readonly applied: boolean;
}

export interface PinnedSpec {
  /** The computed version of the spec that was applied last; absent where no version is pinned. */
  readonly reconciledSpecVersion?: string;
  /** The spec has changed since, and nobody will apply it. */
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
  if (webhook?.action === 'create' && webhook.configVersion === reconciled && webhook.specVersion !== undefined)
    return webhook.specVersion;
  // It was applied before this was remembered: what is asked for now is where it begins.
  return now;
}
