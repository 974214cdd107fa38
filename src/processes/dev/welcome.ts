/** What a newcomer reads when everything is up. Every line that looks like a command is one, and works as it stands. */
import { organization, people, vdc } from './seeds.ts';
import type { Folder, Password } from './folder.ts';

export interface Welcome {
  readonly url: string;
  readonly folder: Folder;
  /** The supervisor first. */
  readonly clusters: readonly string[];
  readonly administrator: string;
  readonly password: Password;
  readonly milliseconds: number;
}

export function welcome({ url, folder, clusters, administrator, password, milliseconds }: Welcome): string {
  const [supervisor, ...others] = clusters;
  const env = shellWord(folder.env);
  const logins = people.map(({ name, role }) => `  ${`${name}@${organization}`.padEnd(24)} ${role}`);
  const parts = [
    `ssvirt is up after ${(milliseconds / 1000).toFixed(1)} s: its API, its operators, a PostgreSQL, and ${others.length === 0 ? 'a KubeVirt cluster' : `${clusters.length} KubeVirt clusters`}, simulated.`,
    [
      `  API        ${url}`,
      `  explorer   ${url}/docs`,
      `  data       ${folder.path}`,
      ...(others.length === 0
        ? []
        : [`  clusters   ${supervisor} (the supervisor), ${others.join(', ')}: kubectl --context ${others[0]} …`]),
    ].join('\n'),
    'You can log in as',
    [
      `  ${administrator.padEnd(24)} System Administrator${password.isNew ? `, password ${password.text}` : ''}`,
      ...logins,
    ].join('\n'),
    `with the passwords in ${folder.passwords}${password.isNew ? ' (this one is shown only now)' : ''}.`,
    'Try it in another terminal: log in, order a machine in your virtual data center, and see it in the cluster:',
    [`  . ${env}`, ...firstSteps].join('\n'),
    'Or declare one in the cluster, as platform teams do, and see it come up:',
    declaration(others[0]),
    'Stop with Ctrl-C; the data stay. --fresh begins anew.',
  ];
  return `${parts.join('\n\n')}\n`;
}

const firstSteps = [
  `  curl -sS --cacert "$SSVIRT_CA" -u "author@${organization}:$(cat "$SSVIRT_PASSWORDS/author@${organization}")" -X POST -o /dev/null \\`,
  `    -w 'Authorization: Bearer %header{x-vmware-vcloud-access-token}' "$SSVIRT_URL/cloudapi/1.0.0/sessions" > "$SSVIRT_SESSION"`,
  `  vdc=$(curl -sS --cacert "$SSVIRT_CA" -H "@$SSVIRT_SESSION" "$SSVIRT_URL/cloudapi/1.0.0/vdcs?filter=name==${vdc}" | grep -o 'urn:vcloud:vdc:[^"]*' | head -n 1)`,
  `  curl -sS --cacert "$SSVIRT_CA" -H "@$SSVIRT_SESSION" -H 'Prefer: wait=60' "$SSVIRT_URL/cloudapi/1.0.0/vdcs/$vdc/vms" \\`,
  `    --json '{"name": "first", "image": "quay.io/containerdisks/fedora:42", "instancetype": "u1.small"}'`,
  '  kubectl get virtualmachines.kubevirt.io --all-namespaces -l app.kubernetes.io/managed-by=ssvirt',
];

/** Where there are several clusters, somebody has to say which. */
function declaration(cluster: string | undefined): string {
  const spec = { template: 'small', ...(cluster === undefined ? {} : { kubevirtConfigRef: cluster }) };
  const metadata = { name: 'second', namespace: 'default' };
  const machine = JSON.stringify({ apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', metadata, spec });
  return [
    `  echo '${machine}' | kubectl apply -f -`,
    '  kubectl -n default wait machines.vitistack.io/second --for condition=Ready --timeout 2m',
  ].join('\n');
}

/** For `. .ssvirt-dev/env`: what the commands of the documentation use. There is no secret in it. */
export function environment(url: string, folder: Folder): string {
  const variables = {
    SSVIRT_URL: url,
    SSVIRT_CA: folder.ca,
    SSVIRT_PASSWORDS: folder.passwords,
    SSVIRT_SESSION: folder.session,
    KUBECONFIG: folder.kubeconfig,
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellWord(value)}\n`)
    .join('');
}

/** Quoted for a shell where it has to be: folders have spaces in their names. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
