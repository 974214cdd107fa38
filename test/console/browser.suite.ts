/** The console page in a browser, from a real API server: what a user sees and can do. */
// needs: chromium
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { chromium, type Browser, type Page, type ViewportSize } from 'playwright-core';
import type { Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { endSessionsOf } from '../../packages/ssvirt/src/db/tenants/sessions.ts';
import type { Vm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import { hashPassword } from '../../packages/ssvirt/src/api/auth/passwords/argon2id.ts';
import { roleIds } from '../../packages/ssvirt/src/db/tenants/roles.ts';
import type { User } from '../../packages/ssvirt/src/db/tenants/users.ts';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { startTestDatabase, type TestDatabase } from '../database/harness.ts';
import { makeOrganization, makeUser } from '../database/rows.ts';
import { startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { findTool } from '../not-run.ts';
import {
  makeCertificates,
  startApiServer,
  unavailableClusters,
  type ApiServerProcess,
} from '../processes/api-server.ts';
import { until } from '../runtime/until.ts';
import { guest, startKubeVirt, startMachine } from './harness.ts';

const password = 'correct horse battery staple';
const desk: ViewportSize = { width: 1280, height: 800 };
/** For a host that is busy with other tests. */
const patient = { deadlineMs: 60_000, everyMs: 50 };
const phone: ViewportSize = { width: 390, height: 780 };

suite('the page of a console', { timeout: 600_000 }, () => {
  let folder: ThrowAwayFolder;
  let pictures: string;
  let cluster: MemberCluster;
  let simulators: Simulators;
  let database: TestDatabase;
  let server: ApiServerProcess;
  let browser: Browser;
  let user: User;
  let vm: Vm;
  let session: { readonly authorization: string };
  /** Complaints of the browser: a violated policy, a missing file. */
  const complaints: string[] = [];

  before(async () => {
    folder = await throwAwayFolder('ssvirt-console-');
    // Keeps screenshots if a folder is named.
    pictures = process.env['SSVIRT_TEST_PICTURES'] ?? folder.path;
    mkdirSync(pictures, { recursive: true });
    [cluster, database] = await Promise.all([startMemberCluster('own'), startTestDatabase()]);
    simulators = await startKubeVirt(cluster);
    const { db } = database.database;
    const organization = await makeOrganization(db, 'acme');
    user = await makeUser(db, {
      organization_id: organization.id,
      username: 'carol',
      password_hash: await hashPassword(password, { memoryKiB: 64, passes: 1, parallelism: 1 }),
      roles: [roleIds.vappUser],
    });
    vm = await startMachine(cluster, db, organization.id, { name: 'web server' });
    const certificates = await makeCertificates(folder.path);
    const passwordFile = join(folder.path, 'password');
    writeFileSync(passwordFile, password);
    const kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), cluster);
    server = await startApiServer({ certificates, kubeconfig, databaseUrl: database.url, passwordFile });
    await until(
      'it is ready',
      async () => {
        const answer = await server.caller.ask('GET', '/readyz');
        return answer.status === 200 && unavailableClusters(answer) === 0;
      },
      { deadlineMs: 120_000, everyMs: 100 },
    );
    session = await logIn();
    const executablePath = findTool('chromium');
    assert.ok(executablePath !== undefined);
    browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await simulators?.stop({ leaveRegistered: true });
    await Promise.all([cluster?.stop(), database?.stop()]);
    await folder?.remove();
  });

  async function logIn(): Promise<{ readonly authorization: string }> {
    const authorization = `Basic ${Buffer.from(`carol@acme:${password}`).toString('base64')}`;
    const { status, headers } = await server.caller.ask('POST', '/cloudapi/1.0.0/sessions', {
      headers: { authorization },
    });
    assert.equal(status, 200);
    return { authorization: `Bearer ${String(headers['x-vmware-vcloud-access-token'])}` };
  }

  async function urlOf(kind: 'serial' | 'vnc'): Promise<string> {
    const path = `/cloudapi/1.0.0/vms/urn:vcloud:vm:${vm.id}/consoleTicket`;
    const { status, body } = await server.caller.ask('POST', path, { headers: session, body: { kind } });
    assert.equal(status, 201, JSON.stringify(body));
    return String(body['url']);
  }

  async function open(url: string, viewport: ViewportSize = desk): Promise<Page> {
    const context = await browser.newContext({
      viewport,
      ignoreHTTPSErrors: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(patient.deadlineMs);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url);
    return page;
  }

  const state = (page: Page): Promise<string | null> => page.getByRole('status').textContent();
  const text = (page: Page): Promise<string> => page.locator('.xterm-rows').innerText();
  const shows = (page: Page, words: string): Promise<void> =>
    until(`it shows ${words}`, async () => (await text(page)).replaceAll('\u00a0', ' ').includes(words), patient);
  const picture = (page: Page, name: string): Promise<unknown> =>
    page.screenshot({ path: join(pictures, `${name}.png`) });

  test('shows the prompt of the machine, takes what is typed, and copies what is shown', async () => {
    const page = await open(await urlOf('serial'));
    await shows(page, 'web-0 login:');
    assert.equal(await state(page), 'Connected');
    assert.equal(await page.title(), 'web server · serial console');
    await picture(page, 'serial-connected');
    // The terminal has the keyboard focus from the start.
    await page.keyboard.type(`${guest.user}\n`);
    await shows(page, 'Password:');
    await page.keyboard.type(`${guest.password}\n`);
    await shows(page, `[${guest.user}@web-0 ~]$`);
    await page.keyboard.type('echo by hand\n');
    await shows(page, '\nby hand\n');
    // It says so for 2 s only: a check after the click may be late.
    const copied = page.getByRole('button', { name: 'Copied' }).waitFor();
    await Promise.all([copied, page.getByRole('button', { name: 'Copy text' }).click()]);
    assert.match(await page.evaluate('navigator.clipboard.readText()'), /\nby hand\n/);
    await picture(page, 'serial-typed');
    assert.deepEqual(complaints.splice(0), []);
    // 80 columns, all of them visible.
    const box = await page.locator('.xterm-screen').boundingBox();
    assert.ok(box !== null && box.width > 500 && box.x + box.width <= desk.width, JSON.stringify(box));
    await page.context().close();
  });

  test('fits on a phone', async () => {
    const page = await open(await urlOf('serial'), phone);
    await shows(page, 'web-0 login:');
    await picture(page, 'serial-phone');
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= phone.width, `the page is ${width} wide`);
    const letters = await page.evaluate<string>("getComputedStyle(document.querySelector('.xterm-rows')).fontSize");
    assert.ok(Number.parseFloat(letters) >= 11, `the letters are ${letters} high`);
    assert.deepEqual(complaints.splice(0), []);
    await page.context().close();
  });

  test('shows the screen of the machine', async () => {
    const page = await open(await urlOf('vnc'));
    const canvas = page.locator('#screen canvas').first();
    await canvas.waitFor();
    await until(
      'the screen is drawn',
      () =>
        page.evaluate<boolean>(`(() => {
        const canvas = document.querySelector('#screen canvas');
        if (canvas.width <= 300) return false;
        // From a copy: a browser complains about a canvas that is read several times.
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size > 1;
      })()`),
      patient,
    );
    assert.equal(await state(page), 'Connected');
    await picture(page, 'screen-connected');
    await canvas.click();
    await page.keyboard.type('x');
    await page.getByRole('button', { name: 'Send Ctrl+Alt+Del' }).click();
    assert.deepEqual(complaints.splice(0), []);
    const small = await open(await urlOf('vnc'), phone);
    await small.locator('#screen canvas').first().waitFor();
    await picture(small, 'screen-phone');
    await small.context().close();
    await page.context().close();
  });

  test('says why it was closed, and a ticket that was used shows a page that says so', async () => {
    const url = await urlOf('serial');
    const page = await open(url);
    await shows(page, 'web-0 login:');
    // Another client takes its console.
    const other = await open(await urlOf('serial'));
    await shows(other, 'web-0 login:');
    const again = await open(url);
    assert.match(await again.locator('main').innerText(), /There is no console here[^]*The ticket is not valid/);
    await picture(again, 'no-console');
    complaints.splice(0); // the answer is 403, which the browser reports
    server.child.kill('SIGTERM');
    await until('it is closed', async () => (await state(other))?.startsWith('Closed: ') === true, patient);
    assert.match(String(await state(other)), /^Closed: The server is shutting down\./);
    await picture(other, 'serial-closed');
    await endSessionsOf(database.database.db, user.id);
  });
});
