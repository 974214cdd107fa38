/** The desired state of a Machine, template and own fields combined, as one line. */
import { formedSpec } from '../../kubevirt/machine/form.ts';
import { isAttached, resolveSpec, type ResolvedMachine } from '../../kubevirt/machine/resolve.ts';
import type { DiskSource } from '../../kubevirt/machine/resource.ts';
import type { ShownMachine } from './shown-machine.ts';

export function resolvedOf({ spec }: ShownMachine): ReturnType<typeof resolveSpec> {
  return resolveSpec(formedSpec(spec));
}

export function desiredText({ template, running, cpu, memory, disks, networks, cloudInit }: ResolvedMachine): string {
  const cpus = (cpu?.cores ?? 1) * (cpu?.threads ?? 1) * (cpu?.sockets ?? 1);
  const parts = [
    ...(cpu === undefined ? [] : [`${cpus} CPU${cpus === 1 ? '' : 's'}`]),
    ...(memory === undefined ? [] : [`${memory} memory`]),
    ...disks.map((disk) =>
      isAttached(disk)
        ? `disk ${disk.name} from the claim ${disk.existingClaim}`
        : `disk ${disk.name} ${disk.size}${disk.source === undefined ? '' : sourceText(disk.source)}`,
    ),
    ...(networks.length === 0 ? ['the pod network'] : []),
    ...networks.map(({ name, networkName }) => `network ${name} on ${networkName ?? 'the pod network'}`),
    ...(cloudInit === undefined ? [] : ['cloud-init']),
    running ? 'running' : 'stopped',
  ];
  return `${template === undefined ? '' : `template ${template}: `}${parts.join(', ')}`;
}

/** URLs may contain credentials or private paths: only the host is shown. */
function sourceText({ containerDisk, http, pvc, dataSource }: DiskSource): string {
  if (containerDisk !== undefined) return ` from image ${containerDisk.image}`;
  if (http !== undefined) return ` from ${hostOf(http.url)}`;
  if (pvc !== undefined) return ` from claim ${pvc.name}`;
  return dataSource === undefined ? '' : ` from DataSource ${dataSource.name}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address';
}
