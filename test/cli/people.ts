/** The logged-in users at the start of the tests: an author of the organization demo, and the provider. */
import assert from 'node:assert/strict';
import { done, startCliGround, type CliGround, type Person } from './ground.ts';

export interface PeopleGround {
  readonly ground: CliGround;
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

export async function startPeople(): Promise<PeopleGround> {
  const ground = await startCliGround();
  const author = { home: ground.home('author') };
  const provider = { home: ground.home('provider') };
  const logIn = (person: Person, login: string) =>
    ground.run(person, ['login', '--user', login, '--password-file', ground.passwordFile(login)]);
  try {
    const [ran] = await Promise.all([logIn(author, 'author@demo'), done(logIn(provider, 'administrator@System'))]);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(ran.stdout, '', 'messages for people go to stderr');
    assert.match(ran.stderr, /logged in to https:.* as author@demo/);
  } catch (error) {
    await ground.stop();
    throw error;
  }
  return { ground, author, provider };
}
