/** The sizes that a Machine may name. */
import type { CpuSpec, MachineDiskSpec } from './resource.ts';

export interface MachineTemplate {
  readonly cpu: Required<CpuSpec>;
  readonly memory: string;
  readonly disks: readonly (MachineDiskSpec & { readonly size: string })[];
}

export const templates: ReadonlyMap<string, MachineTemplate> = new Map([
  ['small', template(1, '2Gi', '20Gi')],
  ['medium', template(2, '4Gi', '40Gi')],
  ['large', template(4, '8Gi', '80Gi')],
]);

function template(cores: number, memory: string, rootSize: string): MachineTemplate {
  return {
    cpu: { cores, threads: 1, sockets: 1 },
    memory,
    disks: [{ name: 'root', size: rootSize, storageClass: 'default' }],
  };
}
