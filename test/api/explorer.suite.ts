/** The explorer page of the API in a browser: its name, and its log-in. */
// needs: chromium
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { chromium, type Browser } from 'playwright-core';
import { hashPassword } from '../../packages/ssvirt/src/api/auth/passwords/argon2id.ts';
import { makeOrganization, makeUser } from '../database/rows.ts';
import { findTool } from '../not-run.ts';
import { roleIdOf, startApi, type ApiHarness } from './harness.ts';

const password = 'correct horse battery staple';
/** For a host that is busy with other tests. */
const deadlineMs = 120_000;

suite('the explorer page', { timeout: 600_000 }, () => {
  let api: ApiHarness;
  let browser: Browser;
  before(async () => {
    api = await startApi();
    const executablePath = findTool('chromium');
    assert.ok(executablePath !== undefined);
    browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    await api.stop();
  });

  test('has our name, and sends the token of a log-in with every later request', async () => {
    const organization = await makeOrganization(api.db, 'acme');
    await makeUser(api.db, {
      organization_id: organization.id,
      username: 'carol',
      password_hash: await hashPassword(password, { memoryKiB: 64, passes: 1, parallelism: 1 }),
      roles: [roleIdOf['vApp User']],
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(deadlineMs);
    await page.goto(api.url);
    assert.equal(await page.title(), 'ssvirt API');

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('#auth-basic-username').fill('carol@acme');
    await page.locator('#auth-basic-password').fill(password);
    await page
      .locator('form', { has: page.locator('#auth-basic-password') })
      .locator('.authorize')
      .click();
    await page.locator('.close-modal').click();

    const answerOf = async (operationId: string): Promise<number> => {
      const tag = page.locator('.opblock-tag-section', { has: page.locator('#operations-tag-sessions') });
      const operation = tag.locator(`[id$="-${operationId}"]`);
      if (!(await operation.isVisible())) await tag.locator('#operations-tag-sessions').click();
      await operation.locator('.opblock-summary').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      const [response] = await Promise.all([
        page.waitForResponse((one) => new URL(one.url()).pathname.startsWith('/cloudapi/')),
        operation.getByRole('button', { name: 'Execute' }).click(),
      ]);
      await operation.locator('.live-responses-table').waitFor();
      return response.status();
    };
    assert.equal(await answerOf('logIn'), 200);
    assert.equal(await answerOf('getCurrentSession'), 200);
  });
});
