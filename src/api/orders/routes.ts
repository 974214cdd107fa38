/** Orders of the CloudKit operator are placed in their cluster, not here. What is here is the look at one before it is placed: nothing is kept of it. */
import { Type, type Static } from 'typebox';
import { floatingIpTemplates, nativeTemplates } from '../../virt/order/resource.ts';
import { verdictOn } from '../../virt/order/verdict.ts';
import type { ApiContext } from '../deps.ts';
import { operation, type ApiApp } from '../http/app-types.ts';

const lists = { native: nativeTemplates, floatingIp: floatingIpTemplates };

const OrderBody = Type.Object(
  {
    templateID: Type.String({ maxLength: 253, examples: ['osac.templates.ocp_virt_vm'] }),
    templateParameters: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String()], {
        description: 'An object, or the same as JSON text, as it stands in an order; none for the defaults',
        examples: [{ cpu_cores: 2, memory: '4Gi' }],
      }),
    ),
  },
  { additionalProperties: false },
);

const ProblemBody = Type.Object({
  field: Type.String({ description: 'The parameter; templateID, or templateParameters for the whole of them' }),
  value: Type.String({ description: 'As it may be shown: of user data and keys only how long they are' }),
  rule: Type.String({ description: 'What it must be' }),
  message: Type.String({ description: 'All of it in a sentence, and what to do' }),
});

const ParametersBody = Type.Object(
  {
    cpu_cores: Type.Integer(),
    memory: Type.String(),
    disk_size: Type.String(),
    image_source: Type.String({ description: 'With its scheme' }),
    exposed_ports: Type.String(),
    cloud_init_config: Type.String({ description: 'How long it is' }),
    ssh_public_key: Type.Optional(Type.String({ description: 'How long it is; absent where there is none' })),
  },
  {
    description:
      'What the order means, defaults filled in; absent where that cannot be said: of other templates than the built-in ones only a cluster knows the parameters',
  },
);

const VerdictBody = Type.Object({
  valid: Type.Boolean({ description: 'Nothing is wrong with it, as far as can be said without its cluster' }),
  problems: Type.Array(ProblemBody),
  warnings: Type.Array(Type.String()),
  parameters: Type.Optional(ParametersBody),
});

export function orderRoutes(app: ApiApp, _context: ApiContext): void {
  app.post(
    '/cloudapi/1.0.0/orders/validate',
    {
      config: operation('orders.validate'),
      schema: {
        tags: ['orders'],
        summary: 'Check the template and the parameters of an order before it is placed',
        description:
          'Everything that is wrong is told at once. An order that is wrong is answered with 200 as well: it is the answer. Nothing is kept.',
        body: OrderBody,
        response: { 200: VerdictBody },
      },
    },
    (request): Static<typeof VerdictBody> => {
      const { templateID, templateParameters: given } = request.body;
      const templateParameters = typeof given === 'string' ? given : JSON.stringify(given ?? {});
      const { problems, warnings, parameters } = verdictOn({ templateID, templateParameters }, lists);
      return {
        valid: problems.length === 0,
        problems: [...problems],
        warnings: [...warnings],
        ...(parameters === undefined ? {} : { parameters }),
      };
    },
  );
}
