/** What the routes of one VM share. */
import { Type } from 'typebox';
import type { VmId } from '../../db/schema/schema.ts';
import { UrnSchema } from '../http/schemas.ts';
import { idOf } from '../urn.ts';

export const vmTags = ['virtual machines'];
export const vmPath = '/cloudapi/1.0.0/vms';
export const vmParam = { vmId: UrnSchema('vm', 'The virtual machine') };
export const vmParams = Type.Object(vmParam);

export function vmIdOf({ vmId }: { readonly vmId: string }): VmId {
  return idOf('vm', vmId, 'vmId');
}
