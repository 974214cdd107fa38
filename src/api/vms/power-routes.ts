import { powerOperations, type PowerOperation } from '../../virt/power/table.ts';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { preferHeaders } from '../tasks/answer.ts';
import { answerChanged } from './answer.ts';
import { powerMachine } from './power.ts';
import { ChangedVm } from './schemas.ts';
import { vmIdOf, vmParams, vmPath, vmTags } from './vm-path.ts';

export const powerSummaries: Readonly<Record<PowerOperation, string>> = {
  powerOn: 'Power on',
  powerOff: 'Power off, hard',
  shutdown: 'Have the guest shut itself down, and power off',
  reset: 'Reset, hard: the guest starts again at once',
  reboot: 'Have the guest restart itself',
  suspend: 'Suspend: the guest stands still, its memory stays where it is',
  resume: 'Resume what was suspended',
};

/** Of a machine and of a vApp. */
export const powerDescription =
  'Where it is so already the answer is 200, without a task; not where the status is stale: then there is a task, which ends when the cluster was reached and its state is known. Where the state does not allow it the answer is 409 with the reason. What was asked for before and has not ended is ended as aborted: the newest wish counts; the same wish again is the same task. 503 while the cluster is away. With Prefer: wait=N the answer is 200 when the state is reached within N seconds.';

export function powerRoutes(app: ApiApp, context: ApiContext): void {
  for (const word of powerOperations)
    app.post(
      `${vmPath}/:vmId/actions/${word}`,
      {
        config: operation(`vms.${word}`),
        schema: {
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
