/**
 * Labels and annotations of a VDC's namespace. A label value allows no `:` and no free text: labels carry bare uuids,
 * annotations carry URNs and names.
 */
import type { PodSecurityLevel, VdcDescription } from './description.ts';

export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  component: 'app.kubernetes.io/component',
  installationId: 'ssvirt.io/installation-id',
  organizationId: 'ssvirt.io/organization-id',
  vdcId: 'ssvirt.io/vdc-id',
  organization: 'ssvirt.io/organization',
  vdc: 'ssvirt.io/vdc',
} as const;

export const managedBy = 'ssvirt';

/** Selects everything that is created for VDCs, by this installation or another. */
export const managedSelector = `${labels.managedBy}=${managedBy}`;

const maxLabelLength = 63;
const labelValue = /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

type Texts = Readonly<Record<string, string>>;

/** `identityLabels` returns the labels by which the objects of a VDC are found. They never change. */
export function identityLabels({ id, organizationId, installationId }: VdcDescription): Texts {
  return {
    [labels.managedBy]: managedBy,
    [labels.installationId]: installationId,
    [labels.organizationId]: organizationId,
    [labels.vdcId]: id,
  };
}

/** On OpenShift, the label of Pod Security also keeps the label syncer from choosing a level. */
export function namespaceLabels(vdc: VdcDescription, podSecurity: PodSecurityLevel): Texts {
  return {
    ...identityLabels(vdc),
    [labels.component]: 'vdc',
    'pod-security.kubernetes.io/enforce': podSecurity,
    ...labelled(labels.organization, vdc.organizationName),
    ...labelled(labels.vdc, vdc.name),
  };
}

export function namespaceAnnotations(vdc: VdcDescription): Texts {
  return {
    [labels.organization]: vdc.organizationName,
    [labels.vdc]: vdc.name,
    'ssvirt.io/organization-urn': `urn:vcloud:org:${vdc.organizationId}`,
    'ssvirt.io/vdc-urn': `urn:vcloud:vdc:${vdc.id}`,
    'ssvirt.io/vdc-description': vdc.description,
    'ssvirt.io/vdc-enabled': String(vdc.enabled),
  };
}

/** A name becomes a label if it is a valid label value; otherwise only the annotation has it. */
function labelled(key: string, name: string): Texts {
  return name.length <= maxLabelLength && labelValue.test(name) ? { [key]: name } : {};
}
