/**
 * The namespace of a VDC. It is chosen once, with the row: the names of organizations and VDCs may change later, the
 * namespace does not.
 */
import { cut, shortId, shortIdLength, slug } from '../slug.ts';

const maxLength = 63; // a DNS-1123 label
const slugLength = Math.floor((maxLength - shortIdLength - '--'.length) / 2);

/** Reserved by Kubernetes and OpenShift; OpenShift refuses projects that begin like this. */
const reserved = /^(openshift|kube|kubernetes)(-|$)/;

/** `<organization>-<VDC>-<8 digits of its uuid>`: readable for an administrator, and never the name of another one. */
export function vdcNamespace(organizationName: string, vdcName: string, id: string): string {
  const organization = slug(organizationName, 'org', slugLength);
  const first = reserved.test(organization) ? cut(`org-${organization}`, slugLength) : organization;
  return `${first}-${slug(vdcName, 'vdc', slugLength)}-${shortId(id)}`;
}
