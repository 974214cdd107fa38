/** Why a status is stale, as it is shown with the status. */
import { Type, type Static } from 'typebox';
import { stalenessText, type Staleness } from '../../db/clusters/staleness.ts';
import { isSystemAdministrator, type Caller } from '../caller.ts';
import { orNull } from '../http/schemas.ts';
import { redactClusterNames, type NamedCluster } from './redaction.ts';

export const Stale = Type.Boolean({
  description: 'The status is the last known one and may be out of date; staleReason says why',
});

export const StaleReason = orNull(
  Type.Object({
    reason: Type.String({
      description: 'ControllerSilent, ClusterSilent, ClusterUnknown, ClusterChanged, NamespaceForbidden or WriteFailed',
    }),
    message: Type.String({ description: 'What is unknown, and since when' }),
  }),
  'Why the status is stale; null if it is not',
);

export function staleReason(
  staleness: Staleness | null,
  caller: Pick<Caller, 'roles'>,
  place: NamedCluster,
): Static<typeof StaleReason> {
  if (staleness === null) return null;
  const text = isSystemAdministrator(caller)
    ? stalenessText(staleness, `cluster "${place.cluster}"`)
    : redactClusterNames(stalenessText({ ...staleness, detail: '' }, 'the cluster'), place);
  return { reason: staleness.reason, message: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
}
