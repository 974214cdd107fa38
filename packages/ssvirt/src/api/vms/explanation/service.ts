/** Reads what explains a VM, as far as the caller may see it. */
import type { Kysely } from 'kysely';
import { listSyncFailures, type SyncFailureRow } from '../../../db/clusters/sync-failures.ts';
import type { Filter } from '../../../db/lists/contracts.ts';
import type { Tables, VmId } from '../../../db/schema/schema.ts';
import type { ShownTask } from '../../../db/tasks/tasks.ts';
import { getVapp, type Vapp } from '../../../db/vapps/vapps.ts';
import { getVdc, type Vdc } from '../../../db/vdcs/vdcs.ts';
import type { Vm } from '../../../db/vms/vms.ts';
import { isSystemAdministrator, type Caller } from '../../caller.ts';
import { tasksPage } from '../../tasks/service.ts';
import { vm as shownVm } from '../service.ts';

export interface ExplainedVm {
  readonly vm: Vm;
  /** Undefined if it was deleted. */
  readonly vapp: Vapp | undefined;
  readonly vdc: Vdc | undefined;
  /** Of the VM and of its vApp, newest first. */
  readonly tasks: readonly ShownTask[];
  /** Unresolved ones; undefined unless the caller is a system administrator. */
  readonly syncFailures: readonly SyncFailureRow[] | undefined;
}

const maxTasks = 5;
const maxFailures = 3;

export async function factsOf(db: Kysely<Tables>, caller: Caller, id: VmId): Promise<ExplainedVm> {
  const vm = await shownVm(db, caller, id);
  const ofBoth = { kind: 'or', parts: [equal('owner.id', vm.id), equal('owner.id', vm.vapp_id)] } as const;
  const unresolved = { kind: 'and', parts: [equal('vm.id', vm.id), equal('isResolved', 'false')] } as const;
  const [vapp, vdc, tasks, failures] = await Promise.all([
    getVapp(db, caller.scope, vm.vapp_id),
    getVdc(db, caller.scope, vm.vdc_id),
    tasksPage(db, caller, { page: 1, pageSize: maxTasks, filter: ofBoth }),
    isSystemAdministrator(caller)
      ? listSyncFailures(db, caller.scope, { page: 1, pageSize: maxFailures, filter: unresolved })
      : undefined,
  ]);
  return { vm, vapp, vdc, tasks: tasks.rows, syncFailures: failures?.rows };
}

function equal(field: string, text: string): Filter {
  return { kind: 'compare', field, comparison: '==', operand: { text } };
}
