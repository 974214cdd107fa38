/** Answers that no server of ours gives, and requests that would reach another operation than the one that is meant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { vms } from './entity-kinds.ts';
import { clientOf } from './server.fixture.ts';

for (const [what, text] of [
  ['the page of a proxy', '<html>Log in here</html>'],
  ['nothing', ''],
] as const)
  test(`an answer with ${what} instead of JSON is a failure that names the server`, async (context) => {
    const client = await clientOf(context, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(text);
    });
    await assert.rejects(vms.get(client.api, 'urn:vcloud:vm:1'), (error) => {
      assert.ok(error instanceof CliFailure);
      assert.equal(error.exitCode, exitCodes.failed);
      assert.match(error.message, /^http:\/\/127\.0\.0\.1:\d+ answered GET .* other than JSON \(text\/html\): check/);
      return true;
    });
  });

test('a request names its object, its query and its body once each, and a path never leaves its operation', async (context) => {
  const asked: string[] = [];
  const client = await clientOf(context, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      response.end('{}');
    });
  });
  const path = { vmId: 'urn:vcloud:vm:1', disk: 'a/b?' };
  await client.api.DELETE('/cloudapi/1.0.0/vms/{vmId}/disks/{disk}', { params: { path } });
  await client.api.PUT('/cloudapi/1.0.0/vms/{vmId}', { params: { path }, body: { description: 'ü' } });
  for (const disk of ['..', '.', ''])
    await assert.rejects(
      client.api.DELETE('/cloudapi/1.0.0/vms/{vmId}/disks/{disk}', { params: { path: { ...path, disk } } }),
      (error) =>
        error instanceof CliFailure && error.message === `the disk must not be empty, "." or ".."; it is "${disk}".`,
    );
  assert.deepEqual(asked, [
    'DELETE /cloudapi/1.0.0/vms/urn%3Avcloud%3Avm%3A1/disks/a%2Fb%3F ',
    'PUT /cloudapi/1.0.0/vms/urn%3Avcloud%3Avm%3A1 {"description":"ü"}',
  ]);
});
