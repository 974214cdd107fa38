/**
 * Computes the minimum size of a PVC for a memory dump: the guest's memory, a fixed overhead, and the overhead of a
 * file system.
 */
import type { JsonObject } from '../../../../values/json.ts';
import { compareQuantity, formatQuantity, parseQuantity, type Quantity } from '../../../../objects/schema/quantity.ts';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../objects.ts';

const MI = 1024 * 1024;
const DUMP_OVERHEAD = 100 * MI;
/** Applies if CDI is not installed. */
const DEFAULT_FILESYSTEM_OVERHEAD = '0.055';

/** `unfitClaim` returns why the PVC cannot hold a dump, or undefined. */
export function unfitClaim(
  claim: PersistentVolumeClaim,
  vmi: VirtualMachineInstance,
  overhead = DEFAULT_FILESYSTEM_OVERHEAD,
): string | undefined {
  if (claim.spec['volumeMode'] === 'Block') return 'pvc should be filesystem pvc';
  const modes = claim.spec['accessModes'];
  if (Array.isArray(modes) && modes.length > 0 && modes.every((mode) => mode === 'ReadOnlyMany'))
    return "pvc access mode can't be read only";
  const size = inThousands(textAt(claim.spec, 'resources', 'requests', 'storage'));
  const needed = neededSize(textAt(vmi.spec.domain, 'resources', 'requests', 'memory'), overhead);
  return compareQuantity(size, needed) < 0
    ? `pvc size [${formatQuantity(size)}] should be bigger then [${formatQuantity(needed)}]`
    : undefined;
}

/** `overheadIn` returns the overhead for the storage class, else the global one, from CDI's configuration. */
export function overheadIn(config: unknown, storageClass: string | undefined): string | undefined {
  const overhead = (config as { status?: { filesystemOverhead?: Overhead } } | undefined)?.status?.filesystemOverhead;
  return (storageClass === undefined ? undefined : overhead?.storageClass?.[storageClass]) ?? overhead?.global;
}

interface Overhead {
  readonly global?: string;
  readonly storageClass?: Readonly<Record<string, string>>;
}

function inThousands(text: string): Quantity {
  const bytes = bytesOf(parseQuantity(text));
  return { value: BigInt(Math.ceil(bytes / 1000)), scale: 3, format: 'DecimalSI', int64: true };
}

function neededSize(memory: string, overhead: string): Quantity {
  const parsed = parseQuantity(memory);
  const bytes = (1 + Number(overhead)) * (bytesOf(parsed) + DUMP_OVERHEAD);
  return {
    value: BigInt(Math.ceil(bytes / MI) * MI),
    scale: 0,
    format: parsed?.format ?? 'DecimalSI',
    int64: true,
  };
}

const bytesOf = (quantity: Quantity | undefined): number =>
  quantity === undefined ? 0 : Number(quantity.value) * 10 ** quantity.scale;

function textAt(object: JsonObject, ...path: readonly string[]): string {
  let value: unknown = object;
  for (const name of path)
    value = typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '0';
}
