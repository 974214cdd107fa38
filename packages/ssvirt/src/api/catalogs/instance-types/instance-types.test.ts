/** Instance types and preferences of the cluster of a virtual data center. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, type Answer, type ApiHarness, type Person } from '../../../../../../test/api/harness.ts';
import { makeVdc } from '../../../../../../test/database/rows.ts';
import { nothingOffered } from '../catalogs/source.ts';
import { urnOf } from '../../urn.ts';

suite('what machines can be sized by', () => {
  let api: ApiHarness;
  let user: Person;
  let vdc: string;
  let read = true;
  const types = [
    { name: 'u1.medium', cpus: 1, memoryMb: 4096 },
    { name: 'u1.small', displayName: 'Small', cpus: 1, memoryMb: 2048 },
  ];

  before(async () => {
    api = await startApi({
      catalogSource: {
        ...nothingOffered,
        instancetypes: (cluster) => (cluster === 'west' ? types : []),
        preferences: (cluster) => (cluster === 'west' ? [{ name: 'fedora' }] : []),
        known: () => read,
      },
    });
    user = await api.person('Read-only');
    vdc = urnOf('vdc', (await makeVdc(api.db, { organization_id: user.organizationId, cluster: 'west' })).id);
  });
  after(() => api.stop());

  const ask = (path: string, { token }: Person = user): Promise<Answer> =>
    api.ask('GET', `/cloudapi/1.0.0/vdcs/${vdc}/${path}`, { token });

  test('is what the cluster of the virtual data center has, page by page', async () => {
    const { body } = await ask('instanceTypes');
    assert.deepEqual([body['resultTotal'], body['isComplete'], body['values']], [2, true, types]);
    const second = await ask('instanceTypes?page=2&pageSize=1');
    assert.deepEqual([second.body['pageCount'], second.body['values']], [2, types.slice(1)]);
    assert.match(String(second.headers['link']), /rel="previousPage"/);
    assert.deepEqual((await ask('preferences')).body['values'], [{ name: 'fedora' }]);
  });

  test('is said to be incomplete while the cluster has not been read', async () => {
    read = false;
    assert.equal((await ask('preferences')).body['isComplete'], false);
    read = true;
  });

  test('is nothing that strangers see, and has no filters', async () => {
    assert.equal((await ask('instanceTypes', await api.person('Organization Administrator'))).status, 403);
    assert.equal((await ask('instanceTypes?filter=name==u1*')).status, 400);
    assert.equal((await ask('preferences?sortAsc=name')).status, 400);
  });
});
