/**
 * Creates the demo data once per folder, through the same interfaces that users have: VMs of tenants over the API,
 * Machines and orders in the cluster. Existing objects stay unchanged, so the next start completes an interrupted one.
 * Complete demo data is never checked again.
 */
import { writeFileSync } from 'node:fs';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import { ApiCaller } from '../api-caller.ts';
import { passwordOf, type Folder, type Password } from '../folder.ts';
import { organization } from '../seeds.ts';
import { declareAll } from './declared.ts';
import { Tenant } from './tenant.ts';
import { ensureVdcs, vapps } from './vapps.ts';

export interface DemoOptions {
  readonly url: string;
  readonly folder: Folder;
  /** The supervisor first. */
  readonly clusters: readonly string[];
  readonly administrator: string;
  readonly password: Password;
  readonly hasAap: boolean;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** A process that is killed in the meantime is up again by then. */
const attempts = 5;
const pauseMs = 5000;

/** Never rejects: it prints what could not be created, and the next start tries again. */
export async function makeDemo(options: DemoOptions): Promise<void> {
  const { folder, say, signal } = options;
  const began = systemClock.now();
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      await Promise.all([declareAll(options), makeVapps(options)]);
      writeFileSync(folder.demoMade, 'The demo data was created; deleted parts are not created again.\n');
      const seconds = Math.round((systemClock.now() - began) / 1000);
      return say(`the demo data is ready after ${seconds} s; some of it is wrong on purpose, hence the warnings above`);
    } catch (error) {
      if (signal.aborted) return;
      if (attempt === attempts)
        return say(`the demo data is not complete, and the next start continues: ${(error as Error).message}`);
      await sleep(systemClock, pauseMs, signal);
    }
  }
}

async function makeVapps(options: DemoOptions): Promise<void> {
  const { url, folder, clusters, administrator, password, signal } = options;
  const provider = new ApiCaller(url, folder.ca);
  const author = new ApiCaller(url, folder.ca);
  try {
    await loggedIn(provider, administrator, password);
    const vdcs = await ensureVdcs(provider, clusters);
    await provider.logOut();
    const login = `author@${organization}`;
    await loggedIn(author, login, passwordOf(folder, login));
    const tenant = new Tenant(author, signal);
    await Promise.all(vapps(vdcs).map((vapp) => tenant.ensure(vapp)));
    await author.logOut();
  } finally {
    await Promise.all([provider.close(), author.close()]);
  }
}

async function loggedIn(caller: ApiCaller, login: string, { text, file }: Password): Promise<void> {
  if (!(await caller.logIn(login, text))) throw new Error(`the password of ${login} is not the one in ${file}`);
}
