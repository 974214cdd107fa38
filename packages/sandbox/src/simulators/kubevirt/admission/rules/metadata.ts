/** Labels and annotations that are reserved for KubeVirt. */
import { jsonEqual, type JsonObject } from '../../../../values/json.ts';
import { textAt, textMapAt, objectAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, notSupported, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';

const RESERVED = [
  'kubevirt.io/created-by',
  'kubevirt.io/migrationJobUID',
  'kubevirt.io/nodeName',
  'kubevirt.io/migrationTargetNodeName',
  'kubevirt.io/schedulable',
  'kubevirt.io/install-strategy',
];
const IGNITION = 'kubevirt.io/ignitiondata';
const SIDECARS = 'hooks.kubevirt.io/hookSidecars';

export function metadataCauses(
  field: string,
  metadata: JsonObject | undefined,
  config: ClusterConfig,
  byKubeVirt: boolean,
): Cause[] {
  const causes: Cause[] = [];
  const annotations = objectAt(metadata, 'annotations');
  if (!byKubeVirt && Object.keys(reservedOf(metadata)).length > 0) {
    const text = 'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited';
    causes.push(notSupported(text, `${field}.labels`));
  }
  if (textAt(annotations, IGNITION) !== '' && !config.featureGates.has('ExperimentalIgnitionSupport')) {
    const text = `ExperimentalIgnitionSupport feature gate is not enabled in kubevirt-config, invalid entry ${field}.annotations.${IGNITION}`;
    causes.push(invalid(text, `${field}.annotations`));
  }
  if (textAt(annotations, SIDECARS) !== '' && !config.featureGates.has('Sidecar')) {
    const text = `sidecar feature gate is not enabled in kubevirt-config, invalid entry ${field}.annotations.${SIDECARS}`;
    causes.push(invalid(text, `${field}.annotations`));
  }
  return causes;
}

/** Checked when a user updates a VMI. */
export function reservedLabelCauses(before: JsonObject | undefined, after: JsonObject | undefined): Cause[] {
  if (jsonEqual(reservedOf(before), reservedOf(after))) return [];
  return [notSupported('modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited')];
}

function reservedOf(metadata: JsonObject | undefined): JsonObject {
  const labels = textMapAt(metadata, 'labels');
  return Object.fromEntries(Object.entries(labels).filter(([name]) => RESERVED.includes(name)));
}
