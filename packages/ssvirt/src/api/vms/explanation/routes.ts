/** Explains a VM: its state, its history, what is wrong, and what to do. */
import { defined } from '@ssvirt/base/values/defined';
import { isSystemAdministrator, type Caller } from '../../caller.ts';
import { syncFailureBody } from '../../clusters/sync-failures/render.ts';
import type { ApiContext } from '../../deps.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import { baseUrl } from '../../http/base-url.ts';
import { taskBody } from '../../tasks/render.ts';
import { vappBody } from '../../vapps/render.ts';
import { adminVdcBody, vdcBody } from '../../vdcs/render.ts';
import { vmBody } from '../render.ts';
import { vmIdOf, vmParams, vmPath, vmTags } from '../vm-path.ts';
import { explain, type VisibleVm } from './explain.ts';
import { VmExplanation, type VmExplanationShape } from './schemas.ts';
import { factsOf, type ExplainedVm } from './service.ts';

export function explanationRoutes(app: ApiApp, { database: { db }, settings }: ApiContext): void {
  app.get(
    `${vmPath}/:vmId/explanation`,
    {
      config: operation('vms.explain'),
      schema: {
        operationId: 'explainVm',
        tags: vmTags,
        summary: 'Explain a virtual machine: what is wrong, why, and what to do',
        description:
          'Draws conclusions from the VM, its vApp, its virtual data center and its last tasks, which the answer contains. System administrators also get the place of the VM and its open sync failures.',
        params: vmParams,
        response: { 200: VmExplanation },
      },
    },
    async (request): Promise<VmExplanationShape> => {
      const caller = callerOf(request);
      const facts = await factsOf(db, caller, vmIdOf(request.params));
      const seen = seenBy(caller, facts, baseUrl(request, settings));
      return { ...explain(seen, new Date()), ...seen };
    },
  );
}

/** What the caller may see, so that nothing else can get into the explanation. */
function seenBy(caller: Caller, { vm, vapp, vdc, tasks, syncFailures }: ExplainedVm, base: string): VisibleVm {
  const shownVdc = isSystemAdministrator(caller) ? adminVdcBody : vdcBody;
  return {
    vm: vmBody(vm, caller, base),
    tasks: tasks.map((task) => taskBody(task, base)),
    ...defined({
      vapp: vapp === undefined ? undefined : vappBody(vapp, caller, base),
      vdc: vdc === undefined ? undefined : shownVdc(vdc, caller),
      syncFailures: syncFailures?.map(syncFailureBody),
    }),
  };
}
