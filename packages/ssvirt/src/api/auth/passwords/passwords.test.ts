import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { ApiError } from '../../errors.ts';
import { hashOfNothing, hashPassword, isOutdated, isPasswordOf, recommendedCost } from './argon2id.ts';
import { Passwords } from './passwords.ts';
import { requireGoodPassword } from './rules.ts';
import { Semaphore } from '../../http/semaphore.ts';

const cheap = { memoryKiB: 64, passes: 1, parallelism: 1 };
const around = { before: () => Promise.resolve(), after: () => Promise.resolve() };

test('a hash says what it cost, has a salt of its own, and is of one password only', async () => {
  const [one, two] = await Promise.all([hashPassword('päßword: 密码', cheap), hashPassword('päßword: 密码', cheap)]);
  assert.match(one, /^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(one, two);
  assert.equal(await isPasswordOf('päßword: 密码', one), true);
  // The same text from a system that normalizes Unicode differently.
  assert.equal(await isPasswordOf('päßword: 密码'.normalize('NFD'), one), true);
  for (const wrong of ['', 'päßword: 密', 'PÄßWORD: 密码', one])
    assert.equal(await isPasswordOf(wrong, one), false, wrong);
});

test('what is no hash of ours is of no password', async () => {
  const hash = await hashPassword('x', cheap);
  for (const text of ['', 'x', '!', hash.replace('argon2id', 'argon2i'), hash.slice(0, 30), hashOfNothing(cheap)])
    assert.equal(await isPasswordOf('x', text), false, text);
});

test('long passwords count to their last letter', async () => {
  const long = 'a'.repeat(255);
  const hash = await hashPassword(`${long}b`, cheap);
  assert.deepEqual([await isPasswordOf(`${long}b`, hash), await isPasswordOf(`${long}c`, hash)], [true, false]);
});

test('hashes cost what OWASP advises unless another cost is asked for', async () => {
  const hash = await new Passwords().hash('x');
  assert.match(hash, /\$m=19456,t=2,p=1\$/);
  assert.equal(isOutdated(hash, recommendedCost), false);
  assert.equal(isOutdated(hash, cheap), true);
  assert.equal(await isPasswordOf('x', hash), true);
});

test('without a hash no password is right, and a password with a hash of another cost is hashed again', async () => {
  const passwords = new Passwords(cheap);
  for (const hash of [undefined, null]) assert.deepEqual(await passwords.check('x', hash, around), { matches: false });
  const dear = await hashPassword('x', { ...cheap, passes: 2 });
  assert.deepEqual(await passwords.check('y', dear, around), { matches: false });
  const { matches, renewed = '' } = await passwords.check('x', dear, around);
  assert.equal(matches, true);
  assert.deepEqual([isOutdated(renewed, cheap), await isPasswordOf('x', renewed)], [false, true]);
  assert.deepEqual(await passwords.check('x', renewed, around), { matches: true });
});

test('a name that does not exist costs a hash like one that does: the time that it takes tells nothing', async () => {
  const passwords = new Passwords(cheap);
  const stored = await hashPassword('x', cheap);
  let hashed = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'ARGON2REQUEST') hashed += 1;
    },
  }).enable();
  try {
    for (const hash of [stored, undefined, null]) {
      hashed = 0;
      await passwords.check('y', hash, around);
      assert.equal(hashed, 1, String(hash));
    }
  } finally {
    hook.disable();
  }
});

test('guesses are looked at in turns, and the later ones see what became of the first', async () => {
  const passwords = new Passwords(
    cheap,
    new Semaphore({ atOnce: 1, waiting: 100, refusal: () => new Error('too many') }),
  );
  let failures = 0;
  const guess = (): Promise<unknown> =>
    passwords.check('wrong', undefined, {
      before: () => (failures >= 3 ? Promise.reject(new Error('wait')) : Promise.resolve()),
      after: async () => {
        failures += 1;
      },
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, guess));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3);
});

test('so many are hashed at once, so many wait, in order, and the others are sent away', async () => {
  const semaphore = new Semaphore({ atOnce: 2, waiting: 3, refusal: () => new Error('too many') });
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (number: number) =>
    semaphore.take(async () => {
      most = Math.max(most, (running += 1));
      order.push(number);
      await hashPassword('x', cheap);
      running -= 1;
      if (number === 2) throw new Error('a failure gives its turn back as well');
    });
  const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(work));
  assert.deepEqual([most, running], [2, 0]);
  assert.deepEqual(order, [0, 1, 2, 3, 4]);
  assert.deepEqual(
    outcomes.map(({ status }) => status === 'fulfilled'),
    [true, true, false, true, true, false, false],
  );
  const refused: unknown = outcomes[6]?.status === 'rejected' ? outcomes[6].reason : undefined;
  assert.match(String(refused), /too many/);
  await Promise.all([work(7), work(8)]);
});

test('a password is long enough, not too long, no repetition and without the name; the message does not have it', () => {
  const cases: readonly (readonly [string, RegExp | undefined])[] = [
    ['elevenchars', /at least 12/],
    ['twelve chars', undefined],
    ['密'.repeat(11), /at least 12/],
    ['😀😃😄😁😆😅🤣😂🙂🙃😉😊', undefined],
    ['correct horse '.repeat(18), undefined],
    ['a'.repeat(257), /at most 256/],
    ['   \u3000\t       ', /blanks only/],
    ['a'.repeat(12), /must not repeat/],
    ['😀'.repeat(12), /must not repeat/],
    ['abcabcabcabc', /must not repeat/],
    ['aAbBaAbBaAbBc', /must not repeat/],
    ['secret-secret-secr', /must not repeat/],
    ['secret-secretary', undefined],
    ['Administrator', /must not contain the user name/],
    ['my ＡＤＭＩＮistrator 1', /must not contain the user name/],
  ];
  for (const [password, expected] of cases) {
    const check = (): void => requireGoodPassword(password, 'administrator');
    if (expected === undefined) check();
    else
      assert.throws(check, (error: unknown) => {
        assert.ok(error instanceof ApiError && error.status === 400);
        assert.match(error.message, expected);
        assert.equal(error.message.includes(password), false);
        return true;
      });
  }
  requireGoodPassword('a bit of everything', 'a');
});
