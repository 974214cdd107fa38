import { powerOperations, type PowerOperation } from '../../kubevirt/power/table.ts';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { preferHeaders } from '../tasks/answer.ts';
import { answerChanged } from './answer.ts';
import { powerMachine } from './power.ts';
import { ChangedVm } from './schemas.ts';
import { vmIdOf, vmParams, vmPath, vmTags } from './vm-path.ts';

export const powerSummaries: Readonly<Record<PowerOperation, string>> = {
  powerOn: 'Power on',
  powerOff: 'Power off, without shutting the guest down',
  shutdown: 'Shut down the guest, then power off',
  reset: 'Reset the VM: the guest restarts at once',
  reboot: 'Reboot the guest',
  suspend: 'Suspend: pause the guest, keeping its memory on its node',
  resume: 'Resume a suspended VM',
};

/** For VMs and vApps. */
export const powerDescription =
  'The task succeeds when the cluster confirms the state after the request, also if the VM shows it already. If the current state does not permit the request, the response is 409 with the reason. The request supersedes earlier power tasks, which end as aborted; repeating the same request returns the same task. 503 if the cluster is unavailable. With Prefer: wait=N the response is 200 if the state is reached within N seconds.';

export function powerRoutes(app: ApiApp, context: ApiContext): void {
  for (const word of powerOperations)
    app.post(
      `${vmPath}/:vmId/actions/${word}`,
      {
        config: operation(`vms.${word}`),
        schema: {
          operationId: `${word}Vm`,
          tags: vmTags,
          summary: `${powerSummaries[word]} (virtual machine)`,
          description: powerDescription,
          params: vmParams,
          headers: preferHeaders,
          response: { 200: ChangedVm, 202: ChangedVm },
        },
      },
      async (request, reply) => {
        const id = vmIdOf(request.params);
        const asked = { operation: word, around: context };
        return answerChanged(
          { request, reply, context },
          await powerMachine(context.database.db, callerOf(request), id, asked),
        );
      },
    );
}
