/** The namespace of a virtual data center. It is chosen once, with the row: names of organisations and data centers may change later, it does not. */

const maxLength = 63; // a DNS-1123 label
const idLength = 8;
const slugLength = Math.floor((maxLength - idLength - '--'.length) / 2);

/** Kubernetes and OpenShift keep these for themselves; OpenShift refuses projects that begin so. */
const reserved = /^(openshift|kube|kubernetes)(-|$)/;

/** `<organisation>-<data center>-<8 digits of its uuid>`: readable for the operator, and never that of another one. */
export function vdcNamespace(organizationName: string, vdcName: string, id: string): string {
  const organization = slug(organizationName, 'org');
  const first = reserved.test(organization) ? cut(`org-${organization}`) : organization;
  return `${first}-${slug(vdcName, 'vdc')}-${id.replaceAll('-', '').slice(0, idLength).toLowerCase()}`;
}

/** What is left of a name in the letters of a DNS label; accents go, letters of other scripts too, and `otherwise` stands where nothing is left. */
function slug(name: string, otherwise: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return cut(letters.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')) || otherwise;
}

function cut(text: string): string {
  return text.slice(0, slugLength).replace(/-+$/, '');
}
