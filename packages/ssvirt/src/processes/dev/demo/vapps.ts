/**
 * The VMs of the organization `demo`, in every state that a list can show. They have their own VDCs, so that they do
 * not use up the limits of a user who tries something.
 */
import type { ApiCaller } from '../api-caller.ts';
import { catalog, ensure, images, organization } from '../seeds.ts';

export type Power = 'on' | 'off' | 'suspended';

export interface DemoMachine {
  readonly name: string;
  /** What the VM demonstrates. */
  readonly description: string;
  readonly cpus: number;
  readonly memoryMb: number;
  readonly power: Power;
}

/** A catalog item by its name. */
export interface DemoOffer {
  readonly catalog: string;
  readonly item: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface DemoVapp {
  readonly vdc: string;
  readonly name: string;
  readonly description: string;
  readonly machines: readonly DemoMachine[];
  /** Replaces `machines`: the first item that exists is used. */
  readonly from?: readonly DemoOffer[];
}

const showcase = 'showcase';

/** One VDC on the default cluster and one on the second cluster. */
export function vdcNames([, second]: readonly string[]): readonly string[] {
  return [showcase, ...(second === undefined ? [] : [`${showcase}-${second}`])];
}

/** `ensureVdcs` resolves to the ids of the VDCs. */
export async function ensureVdcs(api: ApiCaller, clusters: readonly string[]): Promise<readonly string[]> {
  const org = await ensure(api, '/cloudapi/1.0.0/orgs', organization, {});
  const wanted = vdcNames(clusters).map((name, at) => ({
    name,
    description: 'Demo VMs',
    ...(at === 0 ? {} : { cluster: clusters[at] }),
  }));
  return Promise.all(wanted.map((vdc) => ensure(api, `/api/admin/org/${org}/vdcs`, vdc.name, vdc)));
}

export function vapps([here = '', elsewhere]: readonly string[]): readonly DemoVapp[] {
  return [
    {
      vdc: here,
      name: 'shop',
      description: 'Two VMs run, and one is off',
      machines: [
        machine('cart', 'Running'),
        machine('payments', 'Running'),
        { ...machine('reports', 'Off until powered on'), power: 'off' },
      ],
    },
    {
      vdc: here,
      name: 'lab',
      description: 'VMs that do not run, with the reason',
      machines: [
        { ...machine('experiment', 'Suspended'), power: 'suspended' },
        { ...machine('giant', 'Requests more memory than any node has'), cpus: 8, memoryMb: 131_072 },
      ],
    },
    {
      vdc: here,
      name: 'wiki',
      description: 'Instantiated from a catalog item',
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
            machines: [machine('backup', 'Running')],
          },
        ]),
  ];
}

function machine(name: string, description: string): DemoMachine {
  return { name, description, cpus: 1, memoryMb: 1024, power: 'on' };
}
