/** Validation of orders before they are created. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startApi, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';

const validate = '/cloudapi/1.0.0/orders/validate';
const native = 'osac.templates.ocp_virt_vm';

interface Verdict {
  readonly valid: boolean;
  readonly problems: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
  readonly warnings: readonly string[];
  readonly parameters?: Readonly<Record<string, unknown>>;
}

suite('an order', { timeout: 60_000 }, () => {
  let api: ApiHarness;
  let tenant: Person;
  before(async () => {
    api = await startApi();
    tenant = await api.person('Read-only');
  });
  after(() => api.stop());

  const ask = async (
    body: unknown,
  ): Promise<{ readonly status: number; readonly verdict: Verdict; readonly text: string }> => {
    const answer = await api.ask('POST', validate, { token: tenant.token, body });
    return { status: answer.status, verdict: answer.body as unknown as Verdict, text: answer.text };
  };

  test('that is right is told what it means, whether its parameters are an object or a text', async () => {
    const parameters = { cpu_cores: '4', memory: '8Gi', exposed_ports: '22/tcp,80/tcp' };
    for (const templateParameters of [parameters, JSON.stringify(parameters)]) {
      const { status, verdict } = await ask({ templateID: native, templateParameters });
      assert.equal(status, 200);
      assert.deepEqual([verdict.valid, verdict.problems, verdict.warnings], [true, [], []]);
      assert.equal(verdict.parameters?.['cpu_cores'], 4);
      assert.equal(verdict.parameters?.['exposed_ports'], '22/tcp,80/tcp');
      assert.equal(verdict.parameters?.['disk_size'], '10Gi');
    }
  });

  test('that is wrong is told everything at once, and nothing of its secrets', async () => {
    const { status, verdict, text } = await ask({
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
    assert.equal(verdict.valid, false);
    const fields = verdict.problems.map(({ field }) => field).toSorted();
    assert.deepEqual(fields, ['cloud_init_config', 'cpu_cores', 'disk_size', 'ssh_public_key']);
    assert.ok(!text.includes('hunter2'), text);
  });

  test('with parameters that nobody knows is warned of them', async () => {
    const { verdict } = await ask({ templateID: native, templateParameters: { moon: 1 } });
    assert.equal(verdict.valid, true);
    assert.match(verdict.warnings.join(), /"moon" is not known/);
  });

  test('of a template that only its cluster knows is not refused', async () => {
    const { verdict } = await ask({ templateID: 'acme.web', templateParameters: '{"colour":"red"}' });
    assert.deepEqual([verdict.valid, verdict.parameters], [true, undefined]);
    assert.match(verdict.warnings.join(), /not built in/);
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

  test('is looked at for nobody who is not logged in', async () => {
    assert.equal((await api.ask('POST', validate, { body: { templateID: native } })).status, 401);
  });
});
