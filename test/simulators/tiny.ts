/** The smallest webhooks and the smallest API that exercise everything that the simulators' server has to do. */
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import {
  StatusAnswer,
  type AdmissionAnswer,
  type ReviewRequest,
  type AggregatedApi,
  type ApiCall,
  type ServedWebhook,
} from '../../packages/sandbox/src/simulators/serving/contracts.ts';
import { sendJson } from '../../packages/sandbox/src/simulators/serving/status.ts';

const configMapsAreCreated = [
  { groups: [''], versions: ['v1'], resources: ['configmaps'], operations: ['CREATE' as const] },
];

function judge({ name, userInfo }: ReviewRequest): AdmissionAnswer {
  switch (name) {
    case 'invalid': {
      const causes = [{ type: 'FieldValueInvalid', message: 'it is odd', field: 'data.number' }];
      return { allowed: false, code: 422, reason: 'Invalid', message: 'it is odd, and not even', causes };
    }
    case 'bare':
      return { allowed: false, code: 403, message: 'not here' };
    case 'thrown':
      throw new StatusAnswer(409, 'Conflict', 'somebody was faster');
    case 'defect':
      throw new TypeError('a secret of the implementation');
    default:
      return { allowed: true, warnings: [`${userInfo.username} wrote it`] };
  }
}

export const tinyWebhooks: readonly ServedWebhook[] = [
  {
    kind: 'Mutating',
    configuration: 'tiny-mutator',
    name: 'configmaps-mutator.tiny.ssvirt.io',
    path: '/configmaps-mutate',
    rules: configMapsAreCreated,
    failurePolicy: 'Ignore',
    admit: ({ name }) =>
      name === 'filled'
        ? { allowed: true, patch: [{ op: 'add', path: '/data', value: { by: 'a webhook' } }] }
        : { allowed: true },
  },
  {
    kind: 'Validating',
    configuration: 'tiny-validator',
    name: 'configmaps-validator.tiny.ssvirt.io',
    path: '/configmaps-validate',
    rules: configMapsAreCreated,
    admit: judge,
  },
];

const sockets = new WebSocketServer({ noServer: true });

export const tinyApi: AggregatedApi = {
  group: 'tiny.ssvirt.io',
  version: 'v1',
  async handle(call, response) {
    const { caller, method, path, query } = call;
    if (path === '/apis/tiny.ssvirt.io/v1')
      return sendJson(response, 200, {
        kind: 'APIResourceList',
        apiVersion: 'v1',
        groupVersion: 'tiny.ssvirt.io/v1',
        resources: [
          { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'create'] },
        ],
      });
    if (path.endsWith('/defect')) throw new TypeError('a secret of the implementation');
    if (path.endsWith('/conflict'))
      throw new StatusAnswer(409, 'Conflict', 'not now', { name: 'conflict', kind: 'things' });
    const length = method === 'POST' ? (await call.body()).length : 0;
    return sendJson(response, 200, {
      caller: { username: caller.username, groups: [...caller.groups], extra: listed(caller.extra) },
      method,
      path,
      query: query.toString(),
      length,
    });
  },
  upgrade(call: Omit<ApiCall, 'body'>, socket: Duplex, head: Buffer) {
    if (!call.path.endsWith('/echo')) throw new StatusAnswer(404, 'NotFound', 'no such line');
    sockets.handleUpgrade(call.request, socket, head, (line) => {
      line.on('message', (data, isBinary) => line.send(data, { binary: isBinary }));
    });
  },
};

function listed(extra: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}
