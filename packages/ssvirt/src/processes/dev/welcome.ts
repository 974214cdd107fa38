/** What a newcomer reads when everything is up. */
import { demoSummary } from './demo/demo-summary.ts';
import type { Folder, Password } from './folder.ts';
import { organization, people } from './seeds.ts';
import { shellWord, tour } from './tour.ts';

export interface Welcome {
  readonly url: string;
  readonly folder: Folder;
  /** The supervisor first. */
  readonly clusters: readonly string[];
  readonly administrator: string;
  readonly password: Password;
  readonly hasAap: boolean;
  /** By the name of the process. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly demo: 'coming' | 'made' | 'none';
  readonly milliseconds: number;
  readonly hasKubectl: boolean;
}

export function welcome(options: Welcome): string {
  const { url, folder, clusters, administrator, password, hasAap, metrics, demo, milliseconds, hasKubectl } = options;
  const [supervisor, ...others] = clusters;
  const simulated = [
    others.length === 0 ? 'a KubeVirt cluster' : `${clusters.length} KubeVirt clusters`,
    ...(hasAap ? ['AAP'] : []),
  ];
  const parts = [
    `ssvirt is up after ${(milliseconds / 1000).toFixed(1)} s: API, operators, PostgreSQL; simulated: ${simulated.join(', ')}.`,
    rows([
      ['API', url],
      ['explorer', `${url}/docs`],
      ['clusters', [`${supervisor} (the supervisor)`, ...others].join(', ')],
      ['data', folder.path],
    ]),
    'Metrics:',
    rows(Object.entries(metrics), 22),
    `Log in with the passwords in ${folder.passwords}:`,
    rows(
      [
        [administrator, `System Administrator${password.isNew ? `, password ${password.text}` : ''}`],
        ...people.map(({ name, role }): Row => [`${name}@${organization}`, role]),
      ],
      22,
    ),
    ...(demo === 'none'
      ? []
      : [
          `Demo data${demo === 'coming' ? ', created while you read (the operators warn about parts that are wrong on purpose)' : ''}:`,
          rows(demoSummary(clusters, hasAap)),
        ]),
    `Try these in another terminal, in the same folder, in this order${hasKubectl ? '' : ` (${withoutKubectl})`}:`,
    ...tour({ folder, clusters, hasAap }).map(
      ({ title, commands }, at) => `${at + 1}. ${title}\n\n${indented(commands.join('\n'))}`,
    ),
    'Stop with Ctrl-C; the data is kept. --fresh starts over.',
  ];
  return `${parts.join('\n\n')}\n`;
}

const withoutKubectl =
  'kubectl is not on the PATH; the commands with kubectl need it: https://kubernetes.io/docs/tasks/tools/';

type Row = readonly [name: string, text: string];

function rows(all: readonly Row[], width = 10): string {
  return indented(all.map(([name, text]) => `${name.padEnd(width)} ${text}`).join('\n'));
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

/** For `. .ssvirt-dev/env`: the variables that the commands in the documentation use. It contains no secret. */
export function environment(url: string, folder: Folder): string {
  const variables = {
    SSVIRT_URL: url,
    SSVIRT_CA: folder.ca,
    SSVIRT_PASSWORDS: folder.passwords,
    SSVIRT_SESSION: folder.session,
    // For the command line; a user's own profiles stay unchanged.
    SSVIRT_PROFILE: 'ssvirt-dev',
    KUBECONFIG: folder.kubeconfig,
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellWord(value)}\n`)
    .join('');
}
