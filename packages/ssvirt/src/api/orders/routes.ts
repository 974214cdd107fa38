/**
 * Orders of the CloudKit operator are created in their cluster, not here. This route validates one beforehand and
 * stores nothing.
 */
import { named } from '../http/schemas.ts';
import { defined } from '@ssvirt/base/values/defined';
import { Type, type Static } from 'typebox';
import { floatingIpTemplates, nativeTemplates } from '../../kubevirt/order/resource.ts';
import { checkOrder } from '../../kubevirt/order/parameters/order-check.ts';
import type { ApiContext } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { operation, type ApiApp } from '../http/app-types.ts';

/** More than orders have in practice, and little enough to be read at once by a server that others wait for. */
const limits = { bodyBytes: 256 * 1024, parameters: 100, levels: 32 } as const;

const lists = { native: nativeTemplates, floatingIp: floatingIpTemplates };

const OrderBody = named(
  'OrderToValidate',
  Type.Object(
    {
      templateID: Type.String({ maxLength: 253, examples: ['osac.templates.ocp_virt_vm'] }),
      templateParameters: Type.Optional(
        Type.Union([Type.Record(Type.String(), Type.Unknown(), { maxProperties: limits.parameters }), Type.String()], {
          description: 'An object, or the same as JSON text, as in an order; leave it out for the defaults',
          examples: [{ cpu_cores: 2, memory: '4Gi' }],
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

const ProblemBody = Type.Object({
  field: Type.String({ description: 'The parameter; or templateID; or templateParameters if the whole text is meant' }),
  value: Type.String({
    description: 'The value in a form that is safe to show: of user data and keys only the length',
  }),
  rule: Type.String({ description: 'What the value must be' }),
  message: Type.String({ description: 'The problem in one sentence, with the remedy' }),
});

const ParametersBody = Type.Object(
  {
    cpu_cores: Type.Integer(),
    memory: Type.String(),
    disk_size: Type.String(),
    image_source: Type.String({ description: 'With its scheme' }),
    exposed_ports: Type.String(),
    cloud_init_config: Type.String({ description: 'Its length' }),
    ssh_public_key: Type.Optional(Type.String({ description: 'Its length; absent if there is none' })),
  },
  {
    description:
      'The parameters of the order with defaults filled in; absent for templates that are not built in, since only a cluster knows their parameters',
  },
);

const OrderValidationBody = named(
  'OrderValidation',
  Type.Object({
    valid: Type.Boolean({ description: 'The order has no problem that can be found without its cluster' }),
    problems: Type.Array(ProblemBody),
    warnings: Type.Array(Type.String()),
    parameters: Type.Optional(ParametersBody),
  }),
);

export function orderRoutes(app: ApiApp, _context: ApiContext): void {
  app.post(
    '/cloudapi/1.0.0/orders/validate',
    {
      config: operation('orders.validate'),
      bodyLimit: limits.bodyBytes,
      schema: {
        operationId: 'validateOrder',
        tags: ['orders'],
        summary: 'Check the template and the parameters of an order before it is placed',
        description: `Reports all problems at once. An invalid order is answered with 200, too. Nothing is stored. A request has at most ${limits.bodyBytes / 1024} KiB, and parameters that are an object are nested at most ${limits.levels} levels deep.`,
        body: OrderBody,
        response: { 200: OrderValidationBody },
      },
    },
    (request): Static<typeof OrderValidationBody> => {
      const { templateID, templateParameters: given } = request.body;
      const templateParameters = typeof given === 'string' ? given : textOf(given ?? {});
      const { problems, warnings, parameters } = checkOrder({ templateID, templateParameters }, lists);
      return {
        valid: problems.length === 0,
        problems: [...problems],
        warnings: [...warnings],
        ...defined({ parameters }),
      };
    },
  );
}

/** Writing a value as text takes a stack frame for each level. */
function textOf(given: object): string {
  let level: readonly unknown[] = [given];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.levels)
      throw badRequest(
        `templateParameters: is nested deeper than ${limits.levels} levels; send parameters that are nested less deeply.`,
      );
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
  return JSON.stringify(given);
}
