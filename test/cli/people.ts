/** The logged-in users at the start of the tests: an author of the organization demo, and the provider. */
import assert from 'node:assert/strict';
import { done, startCliHarness, type CliHarness, type Person } from './harness.ts';

export interface PeopleHarness {
  readonly harness: CliHarness;
  readonly author: Person;
  readonly provider: Person;
}

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** The parts of new VMs. */
export const image = ['--vdc', 'demo-vdc', '--image', 'quay.io/containerdisks/fedora:42', '--instancetype', 'u1.small'];

export async function startPeople(): Promise<PeopleHarness> {
  const harness = await startCliHarness();
  const author = { home: harness.home('author') };
  const provider = { home: harness.home('provider') };
  const logIn = (person: Person, login: string) =>
    harness.run(person, ['login', '--user', login, '--password-file', harness.passwordFile(login)]);
  try {
    const [ran] = await Promise.all([logIn(author, 'author@demo'), done(logIn(provider, 'administrator@System'))]);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(ran.stdout, '', 'messages for people go to stderr');
    assert.match(ran.stderr, /logged in to https:.* as author@demo/);
  } catch (error) {
    await harness.stop();
    throw error;
  }
  return { harness, author, provider };
}
