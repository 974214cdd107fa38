import { Type } from 'typebox';
import type { ApiContext } from '../deps.ts';
import { callerOf, operation, type ApiApp } from '../http/app-types.ts';
import { UrnSchema } from '../http/schemas.ts';
import { preferHeaders } from '../tasks/answer.ts';
import { idOf } from '../urn.ts';
import { answerCreated } from '../vapps/answer.ts';
import { InstantiatedVapp, Instantiation } from './schemas.ts';
import { Instantiations } from './service.ts';

export function instantiationRoutes(app: ApiApp, context: ApiContext): void {
  const instantiations = new Instantiations(context);

  app.post(
    '/cloudapi/1.0.0/vdcs/:vdcId/actions/instantiateTemplate',
    {
      config: operation('vapps.instantiate'),
      schema: {
        tags: ['vApps'],
        summary: 'Instantiate an item of a catalog: a vApp with its machines',
        description:
          'Everything is checked before anything is made: what the item is offered for, the values of its parameters, the names of its machines, the limits of the virtual data center. Then the vApp is there, and the task in the answer and in Location makes its machines; where the cluster refuses them, all of it is undone, and the task says why. Sizes that cannot be known before are named in the details of the task, and count from when they are seen. With Prefer: wait=N the answer is 201 when that is done within N seconds. Values that were generated for parameters stand in generatedParameters of this answer, be it 201 or 202, and nowhere else: where the answer is lost, delete the vApp and instantiate again. 503 while the cluster is away.',
        params: Type.Object({ vdcId: UrnSchema('vdc', 'The virtual data center') }),
        headers: preferHeaders,
        body: Instantiation,
        response: { 201: InstantiatedVapp, 202: InstantiatedVapp },
      },
    },
    async (request, reply) => {
      const vdc = idOf('vdc', request.params.vdcId, 'vdcId');
      const started = await instantiations.start(callerOf(request), vdc, request.body);
      const body = await answerCreated({ request, reply, context }, started);
      return Object.keys(started.generated).length === 0 ? body : { ...body, generatedParameters: started.generated };
    },
  );
}
