/** The machines of the organization `demo`, in every state that a list can show. They have virtual data centers of their own: nobody who tries something meets their limits. */
import type { ApiCaller } from '../api-caller.ts';
import { catalog, ensure, images, organization } from '../seeds.ts';

export type Power = 'on' | 'off' | 'suspended';

export interface DemoMachine {
  readonly name: string;
  /** What it shows. */
  readonly description: string;
  readonly cpus: number;
  readonly memoryMb: number;
  readonly power: Power;
}

/** An item by the name that it has in a catalog. */
export interface Offer {
  readonly catalog: string;
  readonly item: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface DemoVapp {
  readonly vdc: string;
  readonly name: string;
  readonly description: string;
  readonly machines: readonly DemoMachine[];
  /** Instead of machines: the first that there is. */
  readonly from?: readonly Offer[];
}

const showcase = 'showcase';

/** One where it is made unless said, and one on the second cluster. */
export function vdcNames([, second]: readonly string[]): readonly string[] {
  return [showcase, ...(second === undefined ? [] : [`${showcase}-${second}`])];
}

/** Their ids. */
export async function ensureVdcs(api: ApiCaller, clusters: readonly string[]): Promise<readonly string[]> {
  const org = await ensure(api, '/cloudapi/1.0.0/orgs', organization, {});
  const wanted = vdcNames(clusters).map((name, at) => ({
    name,
    description: 'Machines to look at',
    ...(at === 0 ? {} : { cluster: clusters[at] }),
  }));
  return Promise.all(wanted.map((vdc) => ensure(api, `/api/admin/org/${org}/vdcs`, vdc.name, vdc)));
}

export function vapps([here = '', elsewhere]: readonly string[]): readonly DemoVapp[] {
  return [
    {
      vdc: here,
      name: 'shop',
      description: 'Two machines run, and one is off',
      machines: [
        machine('cart', 'It runs'),
        machine('payments', 'It runs'),
        { ...machine('reports', 'It is off, until somebody powers it on'), power: 'off' },
      ],
    },
    {
      vdc: here,
      name: 'lab',
      description: 'What does not run, and says why',
      machines: [
        { ...machine('experiment', 'It is suspended'), power: 'suspended' },
        { ...machine('giant', 'It asks for more memory than any node has'), cpus: 8, memoryMb: 131_072 },
      ],
    },
    {
      vdc: here,
      name: 'wiki',
      description: 'Instantiated from an item of a catalog',
      machines: [],
      from: [
        { catalog, item: 'fedora-server-small', parameters: { NAME: 'wiki-server' } },
        { catalog: images, item: 'fedora' },
      ],
    },
    ...(elsewhere === undefined
      ? []
      : [
          {
            vdc: elsewhere,
            name: 'archive',
            description: 'In another cluster',
            machines: [machine('backup', 'It runs')],
          },
        ]),
  ];
}

function machine(name: string, description: string): DemoMachine {
  return { name, description, cpus: 1, memoryMb: 1024, power: 'on' };
}
