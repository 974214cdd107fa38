import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  address,
  BadValue,
  bool,
  databaseUrl,
  duration,
  factor,
  int,
  label,
  list,
  oneOf,
  path,
  quantity,
  secretFile,
  size,
  text,
  type ValueType,
  wait,
} from './values.ts';

interface Case {
  readonly type: ValueType<unknown>;
  readonly text: string;
  /** The value, or undefined if the text is refused. */
  readonly value: unknown;
  /** How the value is shown, if that differs from the text. */
  readonly shown?: string;
}

const cases: readonly Case[] = [
  { type: text, text: 'a: b', value: 'a: b' },
  { type: bool, text: 'true', value: true },
  { type: bool, text: '0', value: false, shown: 'false' },
  { type: bool, text: 'yes', value: undefined },
  { type: label, text: 'east-2', value: 'east-2' },
  { type: label, text: '../east', value: undefined },
  { type: label, text: 'East', value: undefined },
  { type: label, text: 'east-', value: undefined },
  { type: duration, text: '1m30s', value: 90_000 },
  { type: duration, text: '0', value: 0, shown: '0s' },
  { type: duration, text: '500ms', value: 500 },
  { type: duration, text: '1.5h', value: 5_400_000, shown: '1h30m' },
  { type: duration, text: '2h0.5s', value: 7_200_500 },
  { type: wait, text: '5ms', value: 5 },
  { type: wait, text: '0', value: undefined },
  { type: wait, text: '0.1ms', value: undefined },
  { type: duration, text: '90', value: undefined },
  { type: duration, text: '-1s', value: undefined },
  { type: duration, text: '1d', value: undefined },
  { type: duration, text: '1m 30s', value: undefined },
  { type: duration, text: '', value: undefined },
  { type: size, text: '64Mi', value: 64 * 1024 * 1024 },
  { type: size, text: '1.5Gi', value: 1.5 * 2 ** 30, shown: '1536Mi' },
  { type: size, text: '1M', value: 1_000_000, shown: '1000000' },
  { type: size, text: '1e3', value: 1000, shown: '1000' },
  { type: size, text: '.5Gi', value: 2 ** 29, shown: '512Mi' },
  { type: size, text: '0', value: 0 },
  { type: size, text: '1.5', value: undefined },
  { type: size, text: '64MB', value: undefined },
  { type: size, text: '-1', value: undefined },
  { type: size, text: '9000000P', value: undefined },
  { type: factor, text: '10', value: 10 },
  { type: factor, text: '0.5', value: 0.5 },
  { type: factor, text: '0', value: undefined },
  { type: factor, text: '-1', value: undefined },
  { type: factor, text: 'fast', value: undefined },
  { type: quantity, text: '64Gi', value: '64Gi' },
  { type: quantity, text: '1500m', value: '1500m' },
  { type: quantity, text: '1e3', value: '1e3' },
  { type: quantity, text: '1E', value: '1E' },
  { type: quantity, text: '.5', value: '.5' },
  { type: quantity, text: '+1', value: '+1' },
  { type: quantity, text: '2500000u', value: '2500000u' },
  { type: quantity, text: '500000000n', value: '500000000n' },
  { type: quantity, text: '0Gi', value: undefined },
  { type: quantity, text: '-1', value: undefined },
  { type: quantity, text: '64GB', value: undefined },
  { type: quantity, text: '', value: undefined },
  { type: address, text: '127.0.0.1:7443', value: { host: '127.0.0.1', port: 7443 } },
  { type: address, text: ':8080', value: { host: '', port: 8080 } },
  { type: address, text: '[::1]:0', value: { host: '::1', port: 0 } },
  { type: address, text: 'my-host.example:65535', value: { host: 'my-host.example', port: 65_535 } },
  { type: address, text: 'localhost', value: undefined },
  { type: address, text: 'localhost:65536', value: undefined },
  { type: address, text: '::1:80', value: undefined },
  { type: address, text: '[::zz]:80', value: undefined },
  { type: address, text: 'http://a:80', value: undefined },
  { type: int(1, 64), text: '64', value: 64 },
  { type: int(1, 64), text: '65', value: undefined },
  { type: int(1, 64), text: '0', value: undefined },
  { type: int(1), text: '1e3', value: undefined },
  { type: int(1), text: '99999999999999999999', value: undefined },
  { type: int(-5), text: '-5', value: -5 },
  { type: oneOf('a', 'b'), text: 'b', value: 'b' },
  { type: oneOf('a', 'b'), text: 'B', value: undefined },
  { type: path, text: 'x/y', value: '/folder/x/y', shown: '/folder/x/y' },
  { type: path, text: '/x', value: '/x' },
  { type: path, text: '', value: undefined },
  {
    type: databaseUrl,
    text: 'postgres://me@db.example:5432/ssvirt',
    value: {
      host: 'db.example',
      port: 5432,
      user: 'me',
      database: 'ssvirt',
      tls: { check: 'authority and name' },
    },
    shown: 'postgres://me@db.example:5432/ssvirt?sslmode=verify-full',
  },
  {
    type: databaseUrl,
    text: 'postgres://me@db.example:5432/ssvirt?sslmode=disable',
    value: { host: 'db.example', port: 5432, user: 'me', database: 'ssvirt' },
  },
  {
    type: databaseUrl,
    text: 'postgres://me@127.0.0.1:5432/ssvirt',
    value: { host: '127.0.0.1', port: 5432, user: 'me', database: 'ssvirt' },
  },
  {
    type: databaseUrl,
    text: 'postgresql://me@[::1]/a%2Fb?sslmode=verify-full',
    value: { host: '::1', port: 5432, user: 'me', database: 'a/b', tls: { check: 'authority and name' } },
    shown: 'postgres://me@[::1]:5432/a%2Fb?sslmode=verify-full',
  },
  {
    type: databaseUrl,
    text: 'postgres://me@localhost/db?host=/run/postgresql',
    value: { host: '/run/postgresql', port: 5432, user: 'me', database: 'db' },
  },
  { type: databaseUrl, text: 'db.example:5432', value: undefined },
  { type: databaseUrl, text: 'mysql://me@db.example/x', value: undefined },
  { type: databaseUrl, text: 'postgres://db.example/x', value: undefined },
  { type: databaseUrl, text: 'postgres://me@db.example', value: undefined },
  { type: databaseUrl, text: 'postgres://me@db.example/x?sslmode=prefer', value: undefined },
  { type: databaseUrl, text: 'postgres://me@db.example/x?ssl_mode=require', value: undefined },
  { type: databaseUrl, text: 'postgres://me@db.example/x?sslmode=verify-ca&sslrootcert=none.pem', value: undefined },
  { type: list(int(1)), text: '1, 2,3', value: [1, 2, 3], shown: '1,2,3' },
  { type: list(int(1)), text: '', value: [] },
  { type: list(int(1)), text: '1,x', value: undefined },
];

for (const { type, text: given, value, shown = given } of cases) {
  test(`${type.name}: "${given}" is ${value === undefined ? 'refused' : JSON.stringify(value)}`, () => {
    if (value === undefined) {
      assert.throws(() => type.parse(given, '/folder'), BadValue);
      return;
    }
    const parsed = type.parse(given, '/folder');
    assert.deepEqual(parsed, value);
    assert.equal(type.show(parsed), shown);
  });
}

test('every refusal says what to write', () => {
  for (const { type, text: given } of cases.filter((one) => one.value === undefined)) {
    assert.throws(() => type.parse(given, '/folder'), { message: /: write / }, `${type.name} "${given}"`);
  }
});

test("a secret file's content is the secret, and nothing shows it", (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-secret-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'token'), 'hunter2\n');
  const secret = secretFile.parse('token', folder);
  assert.equal(secret.reveal(), 'hunter2');
  for (const shown of [secretFile.show(secret), secret.toString(), JSON.stringify({ secret }), inspect({ secret })]) {
    assert.match(shown, /<set>/);
    assert.doesNotMatch(shown, /hunter2/);
  }
});

test('a secret file that cannot be read is refused without repeating what stood there', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-secret-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'empty'), '\n');
  const refusals = { hunter2: /does not exist/, empty: /empty file/, '.': /folder/ };
  for (const [given, message] of Object.entries(refusals)) {
    const isRight = (error: Error): boolean => message.test(error.message) && !inspect(error).includes('hunter2');
    assert.throws(() => secretFile.parse(given, folder), isRight, given);
  }
});

test('the password of a database URL is kept, and nothing shows it, not even where the URL is refused', () => {
  const url = databaseUrl.parse('postgres://me:hunt%3Fer2@db.example/x', '/folder');
  assert.equal(url.password?.reveal(), 'hunt?er2');
  for (const shown of [databaseUrl.show(url), JSON.stringify(url), inspect(url)]) assert.doesNotMatch(shown, /er2/);
  for (const bad of ['postgres://me:hunt?er2@db.example/x', 'postgres://me:hunter2@/x', 'me:hunter2@db.example/x'])
    assert.throws(
      () => databaseUrl.parse(bad, '/folder'),
      (error) => error instanceof BadValue && !inspect(error).includes('er2'),
    );
  assert.equal(databaseUrl.secret, true);
});
