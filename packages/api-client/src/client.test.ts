import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createApiClient } from './client.ts';

test('parameters are percent-encoded, a body is JSON, and a refusal is an error with its code', async (context) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? '-'}`);
    request.resume();
    if (request.method === 'GET')
      response.setHeader('content-type', 'application/json').end('{"page":1,"pageCount":1,"values":[{"name":"web"}]}');
    else
      response
        .writeHead(409, { 'content-type': 'application/json' })
        .end('{"minorErrorCode":"DISK_NOT_FOUND","message":"There is no such disk.","stackTrace":null}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const api = createApiClient(`http://127.0.0.1:${port}/below`, (request) => fetch(request));

  const vms = await api.GET('/cloudapi/1.0.0/vms', { params: { query: { filter: 'name==a&b', pageSize: 5 } } });
  assert.deepEqual(
    vms.data?.values.map(({ name }) => name),
    ['web'],
  );
  const params = { path: { vmId: 'urn:vcloud:vm:1', disk: 'a/b ?' } };
  const removed = await api.DELETE('/cloudapi/1.0.0/vms/{vmId}/disks/{disk}', { params });
  assert.equal(removed.error?.minorErrorCode, 'DISK_NOT_FOUND');
  const made = await api.POST('/cloudapi/1.0.0/orgs', { body: { name: 'acme' } });
  assert.equal(made.response.status, 409);
  assert.deepEqual(asked, [
    'GET /below/cloudapi/1.0.0/vms?filter=name%3D%3Da%26b&pageSize=5 -',
    'DELETE /below/cloudapi/1.0.0/vms/urn%3Avcloud%3Avm%3A1/disks/a%2Fb%20%3F -',
    'POST /below/cloudapi/1.0.0/orgs application/json',
  ]);
});
