/** The block size that a disk reports to its guest. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, numberAt, objectAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, type Cause } from '../cause.ts';
import { isOn } from './amounts.ts';

const LEAST = 512;
const MOST = 2_097_152;

export function blockSizeCauses(field: string, blockSize: JsonObject | undefined, bus: string): Cause[] {
  const custom = objectAt(blockSize, 'custom');
  if (blockSize === undefined || custom === undefined) return [];
  if (isOn(blockSize['matchVolume']))
    return [invalid("Block size matching can't be enabled together with a custom value", field)];
  const [logical, physical] = [numberAt(custom, 'logical'), numberAt(custom, 'physical')];
  const granularity = numberAt(custom, 'discardGranularity');
  const at = `${field}.custom`;
  if (logical > physical) {
    const text = `Logical size ${logical} must be the same or less than the physical size of ${physical}`;
    return [invalid(text, `${at}.logical`)];
  }
  // Emulated SATA controllers support no other size.
  if (bus === 'sata' && logical !== LEAST)
    return [invalid(`Logical size ${logical} must be ${LEAST} for SATA devices`, `${at}.logical`)];
  if (isSet(custom, 'discardGranularity') && logical !== 0 && granularity % logical !== 0) {
    const text = `Discard granularity ${granularity} must be multiples of logical size ${logical}`;
    return [invalid(text, `${at}.discardGranularity`)];
  }
  return [...sizeCauses(`${at}.logical`, logical), ...sizeCauses(`${at}.physical`, physical)];
}

function sizeCauses(at: string, size: number): Cause[] {
  if (size < LEAST)
    return [invalid(`Provided size of ${size} is less than the supported minimum size of ${LEAST}`, at)];
  if (size > MOST)
    return [invalid(`Provided size of ${size} is greater than the supported maximum size of ${MOST}`, at)];
  return Number.isInteger(Math.log2(size)) ? [] : [invalid(`Provided size of ${size} is not a power of 2`, at)];
}
