import { Type } from 'typebox';
import type { ApiContext } from '../../deps.ts';
import { callerOf, operation, type ApiApp } from '../../http/app-types.ts';
import { UrnSchema } from '../../http/schemas.ts';
import { preferHeaders } from '../../tasks/answer.ts';
import { idOf } from '../../urn.ts';
import { answerCreatedOnce } from '../answer.ts';
import { InstantiatedVapp, Instantiation } from './schemas.ts';
import { Instantiations } from './service.ts';

export function instantiationRoutes(app: ApiApp, context: ApiContext): void {
  const instantiations = new Instantiations(context);

  app.post(
    '/cloudapi/1.0.0/vdcs/:vdcId/actions/instantiateTemplate',
    {
      config: operation('vapps.instantiate'),
      schema: {
        operationId: 'instantiateTemplate',
        tags: ['vApps'],
        summary: 'Instantiate a catalog item: create a vApp with its VMs',
        description:
          'Everything is checked before anything is created: whether the item is offered here, the values of its parameters, the names of its VMs and the limits of the virtual data center. The vApp then exists, and the task in the response and in Location creates its VMs. If the cluster rejects them, everything is rolled back and the task says why. Sizes that cannot be known in advance are named in the details of the task; they count against the limits as soon as they are known. With Prefer: wait=N the response is 201 if that is done within N seconds. generatedParameters of this response, be it 201 or 202, has the values that were generated for parameters; no later response shows them. If the response is lost, delete the vApp and instantiate again. 503 if the cluster is unavailable.',
        params: Type.Object({ vdcId: UrnSchema('vdc', 'The virtual data center') }),
        headers: preferHeaders,
        body: Instantiation,
        response: { 201: InstantiatedVapp, 202: InstantiatedVapp },
      },
    },
    async (request, reply) => {
      const vdc = idOf('vdc', request.params.vdcId, 'vdcId');
      const started = await instantiations.start(callerOf(request), vdc, request.body);
      const body = await answerCreatedOnce({ request, reply, context }, started);
      return Object.keys(started.generated).length === 0 ? body : { ...body, generatedParameters: started.generated };
    },
  );
}
