/** Validation of orders before they are created. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';

const validate = '/cloudapi/1.0.0/orders/validate';
const native = 'osac.templates.ocp_virt_vm';

interface Answer {
  readonly valid: boolean;
  readonly problems: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
  readonly warnings: readonly string[];
  readonly parameters?: Readonly<Record<string, unknown>>;
}

suite('an order', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let tenant: Person;
  before(async () => {
    api = await startApi();
    tenant = await api.person('Read-only');
  });
  after(() => api.stop());

  const ask = async (
    body: unknown,
  ): Promise<{ readonly status: number; readonly check: Answer; readonly text: string }> => {
    const answer = await api.ask('POST', validate, { token: tenant.token, body });
    return { status: answer.status, check: answer.body as unknown as Answer, text: answer.text };
  };

  test('that is right is answered with what it means, whether its parameters are an object or a text', async () => {
    const parameters = { cpu_cores: '4', memory: '8Gi', exposed_ports: '22/tcp,80/tcp' };
    for (const templateParameters of [parameters, JSON.stringify(parameters)]) {
      const { status, check } = await ask({ templateID: native, templateParameters });
      assert.equal(status, 200);
      assert.deepEqual([check.valid, check.problems, check.warnings], [true, [], []]);
      assert.equal(check.parameters?.['cpu_cores'], 4);
      assert.equal(check.parameters?.['exposed_ports'], '22/tcp,80/tcp');
      assert.equal(check.parameters?.['disk_size'], '10Gi');
    }
  });

  test('that is wrong is answered with all problems at once, and nothing of its secrets', async () => {
    const { status, check, text } = await ask({
      templateID: native,
      templateParameters: {
        cpu_cores: 1.5,
        disk_size: '-1Gi',
        cloud_init_config: '',
        ssh_public_key: 'hunter2\nhunter2',
        moon: 1,
      },
    });
    assert.equal(status, 200);
    assert.equal(check.valid, false);
    const fields = check.problems.map(({ field }) => field).toSorted();
    assert.deepEqual(fields, ['cloud_init_config', 'cpu_cores', 'disk_size', 'ssh_public_key']);
    assert.ok(!text.includes('hunter2'), text);
  });

  test('with unknown parameters gets a warning about them', async () => {
    const { check } = await ask({ templateID: native, templateParameters: { moon: 1 } });
    assert.equal(check.valid, true);
    assert.match(check.warnings.join(), /"moon" is not known/);
  });

  test('of a template that only its cluster knows is not refused', async () => {
    const { check } = await ask({ templateID: 'acme.web', templateParameters: '{"colour":"red"}' });
    assert.deepEqual([check.valid, check.parameters], [true, undefined]);
    assert.match(check.warnings.join(), /not built in/);
  });

  test('without a template, or with a field too many, is no order', async () => {
    for (const body of [
      {},
      { templateID: 7 },
      { templateID: native, cpu_cores: 2 },
      { templateID: native, templateParameters: [] },
    ])
      assert.equal((await ask(body)).status, 400, JSON.stringify(body));
  });

  test('that is too large, or nested too deeply, is refused with the limit', async () => {
    const order = (parameters: string): string => `{"templateID":"acme.web","templateParameters":${parameters}}`;
    const nested = (levels: number): string => order(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    const ofParameters = (count: number): string =>
      order(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 1]))));
    const long = JSON.stringify('x'.repeat(256 * 1024));
    const cases: readonly (readonly [string, number, RegExp])[] = [
      [nested(32), 200, /valid/],
      [nested(33), 400, /templateParameters: is nested deeper than 32 levels/],
      [nested(40_000), 400, /templateParameters: is nested deeper than 32 levels/],
      [ofParameters(100), 200, /valid/],
      [ofParameters(101), 400, /templateParameters is an object; it must have at most 100 entries/],
      [order(long), 413, /the limit is 256 KiB/],
      [order(`{"cloud_init_config":${long}}`), 413, /the limit is 256 KiB/],
    ];
    const headers = { 'content-type': 'application/json' };
    for (const [body, status, message] of cases) {
      const answer = await api.ask('POST', validate, { token: tenant.token, body, headers });
      assert.equal(answer.status, status, answer.text.slice(0, 500));
      assert.match(answer.text, message);
    }
  });

  test('is not validated for a caller who is not logged in', async () => {
    assert.equal((await api.ask('POST', validate, { body: { templateID: native } })).status, 401);
  });
});
