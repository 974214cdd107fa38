/** What the routes of one VM share. */
import { Type } from 'typebox';
import { vmList } from '../../db/lists/definitions.ts';
import type { VmId } from '../../db/schema/schema.ts';
import { UrnSchema } from '../http/schemas.ts';
import { idOf } from '../urn.ts';

export const vmTags = ['virtual machines'];
export const vmPath = '/cloudapi/1.0.0/vms';
export const vmParam = { vmId: UrnSchema('vm', 'The virtual machine') };
export const vmParams = Type.Object(vmParam);

const listed = Object.entries(vmList.fields);
const sorted = listed.filter(([, { sortable }]) => sortable === true);

/** The fields of the lists of VMs. */
export const vmListDescription = `Filters by ${namesOf(listed)}. Sorts by ${namesOf(sorted)}; VMs without a value come first in ascending order. By default, lists leave out VMs that are deleted; with status==DELETED, they have those that were deleted in their cluster.`;

function namesOf(fields: readonly (readonly [string, unknown])[]): string {
  return fields.map(([name]) => name).join(', ');
}

export function vmIdOf({ vmId }: { readonly vmId: string }): VmId {
  return idOf('vm', vmId, 'vmId');
}
