import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import { startTestDatabase, type TestDatabase } from '../../../../../../test/database/harness.ts';
import { unique } from '../../../../../../test/database/rows.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { dropOldKnownLogIns } from '../../../db/tenants/known-log-ins.ts';
import { dropOldFailures } from '../../../db/tenants/login-failures.ts';
import { ApiError } from '../../errors.ts';
import { networkOf, Throttle } from './throttle.ts';

const free = 3;

suite('the throttle', () => {
  let running: TestDatabase;
  before(async () => {
    running = await startTestDatabase();
  });
  after(() => running.stop());

  const of = (address: string, name: string): Throttle =>
    new Throttle(running.database.db, { address, named: ['user', 'org', name] }, free);

  /** Resolves to the seconds to wait; 0 if the attempt may proceed. */
  async function waitOf(throttle: Throttle): Promise<number> {
    try {
      await throttle.pass();
      return 0;
    } catch (error) {
      assert.ok(error instanceof ApiError && error.code === 'TOO_MANY_REQUESTS');
      return error.retryAfter ?? Number.NaN;
    }
  }

  async function fail(throttle: Throttle, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) await throttle.failed();
  }

  /** The last wait that was set, in seconds. The remaining time would depend on the test's speed. */
  async function lastWait(): Promise<number> {
    const { rows } = await sql<{ readonly seconds: number }>`
      SELECT extract(epoch FROM blocked_until - last_failed_at)::float8 AS seconds FROM login_failures
      WHERE blocked_until IS NOT NULL ORDER BY last_failed_at DESC LIMIT 1
    `.execute(running.database.db);
    return rows[0]?.seconds ?? 0;
  }

  const pass = (seconds: number): Promise<unknown> =>
    sql`UPDATE login_failures SET blocked_until = blocked_until - ${seconds} * interval '1 second',
      last_failed_at = last_failed_at - ${seconds} * interval '1 second'`.execute(running.database.db);

  /** So that a slow test is still within the wait. */
  const blockLonger = (): Promise<unknown> =>
    sql`UPDATE login_failures SET blocked_until = blocked_until + interval '1 hour'`.execute(running.database.db);

  test('a few failures are free, then each wait is twice the one before, up to five minutes', async () => {
    const throttle = of('192.0.2.1', unique('a'));
    await fail(throttle, free - 1);
    assert.equal(await waitOf(throttle), 0);
    const waits: number[] = [];
    for (let failure = 0; failure < 11; failure += 1) {
      await throttle.failed();
      waits.push(await lastWait());
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    await pass(301);
    assert.equal(await waitOf(throttle), 0, 'the wait is over');
    await throttle.failed();
    assert.equal(await lastWait(), 300, 'and the next failure makes wait again');
    await pass(16 * 60);
    await throttle.failed();
    assert.equal(await waitOf(throttle), 0, 'a quarter of an hour without one forgets them');
  });

  test('one attacker does not lock out the user elsewhere, nor others behind the same address', async () => {
    const [victim, colleague] = [unique('victim'), unique('colleague')];
    await fail(of('192.0.2.2', victim), free * 3);
    assert.ok((await waitOf(of('192.0.2.2', victim))) > 0);
    assert.equal(await waitOf(of('192.0.2.3', victim)), 0);
    assert.equal(await waitOf(of('192.0.2.2', colleague)), 0);
  });

  test('many attackers make a name wait, but for no more than half a minute', async () => {
    const victim = unique('victim');
    for (let host = 0; host < free * 10 + 8; host += 1) await of(`203.0.113.${host}`, victim).failed();
    assert.equal(await lastWait(), 30);
    assert.ok((await waitOf(of('192.0.2.4', victim))) > 0);
  });

  test('strangers elsewhere do not delay a user where the user has logged in before, through any replica', async () => {
    const name = unique('victim');
    const home = of('2001:db8:1:2::1', name);
    await home.succeeded();
    for (let host = 0; host < free * 10 + 8; host += 1) await of(`203.0.113.${host}`, name).failed();
    await blockLonger();
    assert.equal(await waitOf(home), 0);
    const replica = openDatabase({ url: running.url });
    const who = { address: '2001:DB8:1:2::ffff', named: ['user', 'ORG', name.toUpperCase()] };
    assert.equal(await waitOf(new Throttle(replica.db, who, free)), 0, 'the same network and the same name');
    await replica.close();
    assert.ok((await waitOf(of('2001:db8:1:3::1', name))) > 3600 - 60, 'the next network is not known');
    assert.ok((await waitOf(of('192.0.2.9', name))) > 3600 - 60);
    const other = unique('other');
    for (let host = 0; host < free * 10; host += 1) await of(`203.0.113.${host}`, other).failed();
    await blockLonger();
    assert.ok((await waitOf(of('2001:db8:1:2::1', other))) > 3600 - 60, 'nor is another user there');
  });

  test('where the user has logged in before, failures from there count as everywhere', async () => {
    const throttle = of('192.0.2.10', unique('a'));
    await throttle.succeeded();
    await fail(throttle, free);
    await blockLonger();
    assert.ok((await waitOf(throttle)) > 3600 - 60);
  });

  test('an address is forgotten 90 days after the last log-in', async () => {
    const { db } = running.database;
    const name = unique('victim');
    const home = of('192.0.2.11', name);
    const age = (days: number): Promise<unknown> =>
      sql`UPDATE known_log_ins SET last_used_at = now() - ${days} * interval '1 day'`.execute(db);
    await home.succeeded();
    for (let host = 0; host < free * 10; host += 1) await of(`203.0.113.${host}`, name).failed();
    await blockLonger();
    await age(89);
    assert.equal(await dropOldKnownLogIns(db), 0);
    assert.equal(await waitOf(home), 0);
    await age(91);
    assert.ok((await waitOf(home)) > 3600 - 60);
    assert.notEqual(await dropOldKnownLogIns(db), 0);
  });

  test('a name is one name in all ways of writing it that find the same user', async () => {
    const name = unique('iris-σ');
    await fail(of('192.0.2.8', name), free);
    for (const written of [name.toUpperCase(), name.replace('i', 'İ'), name.replace('σ', 'Σ')])
      assert.ok((await waitOf(of('192.0.2.8', written))) > 0, written);
  });

  test('one address that tries many names has to wait with all of them, and its own success does not help', async () => {
    const address = '192.0.2.5';
    for (let name = 0; name < free * 10; name += 1) await of(address, unique('name')).failed();
    const own = of(address, unique('own'));
    await sql`UPDATE login_failures SET blocked_until = blocked_until + interval '1 hour'`.execute(running.database.db);
    assert.ok((await waitOf(own)) > 3600 - 60);
    await own.succeeded();
    assert.ok((await waitOf(own)) > 3600 - 60);
  });

  test('a success forgets the failures of the name', async () => {
    const throttle = of('192.0.2.6', unique('a'));
    await fail(throttle, free - 1);
    await throttle.succeeded();
    await fail(throttle, free - 1);
    assert.equal(await waitOf(throttle), 0);
  });

  test('failures at the same moment are all counted', async () => {
    const throttle = of('192.0.2.7', unique('a'));
    await Promise.all(Array.from({ length: free + 4 }, () => throttle.failed()));
    assert.equal(await lastWait(), 16);
  });

  test('what no longer counts is removed', async () => {
    await of('192.0.2.8', unique('a')).failed();
    await pass(3600);
    await of('192.0.2.9', unique('b')).failed();
    assert.ok((await dropOldFailures(running.database.db)) >= 3);
    // The counters of the last failure: name, address, and both together.
    const { rows } = await sql`SELECT FROM login_failures`.execute(running.database.db);
    assert.equal(rows.length, 3);
  });
});

test('addresses of one network of IPv6 count as one', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ];
  for (const [address, network] of cases) assert.equal(networkOf(address), network, address);
});
