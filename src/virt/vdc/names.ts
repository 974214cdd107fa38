/** The namespace of a virtual data center. It is chosen once, with the row: names of organisations and data centers may change later, it does not. */
import { cut, shortId, shortIdLength, slug } from '../slug.ts';

const maxLength = 63; // a DNS-1123 label
const slugLength = Math.floor((maxLength - shortIdLength - '--'.length) / 2);

/** Kubernetes and OpenShift keep these for themselves; OpenShift refuses projects that begin so. */
const reserved = /^(openshift|kube|kubernetes)(-|$)/;

/** `<organisation>-<data center>-<8 digits of its uuid>`: readable for the operator, and never that of another one. */
export function vdcNamespace(organizationName: string, vdcName: string, id: string): string {
  const organization = slug(organizationName, 'org', slugLength);
  const first = reserved.test(organization) ? cut(`org-${organization}`, slugLength) : organization;
  return `${first}-${slug(vdcName, 'vdc', slugLength)}-${shortId(id)}`;
}
