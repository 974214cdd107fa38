import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { throwAwayFolder, type ThrowAwayFolder } from '../../../../../test/cluster/cluster.ts';
import { profilesFile, readProfiles, saveProfile } from './file.ts';

const profile = { url: 'https://cloud.example.org', user: 'ava', org: 'acme', token: 'secret' };
let folder: ThrowAwayFolder;
let count = 0;

before(async () => {
  folder = await throwAwayFolder('ssvirt-profiles-');
});
beforeEach(() => {
  process.env['XDG_CONFIG_HOME'] = join(folder.path, String(count++));
  delete process.env['SSVIRT_PROFILE'];
});
after(() => folder.remove());

test('who logs in goes on as such, but for a profile that the environment names', () => {
  saveProfile('work', profile);
  process.env['SSVIRT_PROFILE'] = 'passing';
  saveProfile('passing', profile);
  assert.equal(readProfiles().current, 'work');
  assert.deepEqual(Object.keys(readProfiles().profiles), ['work', 'passing']);
  saveProfile('home', profile);
  assert.equal(readProfiles().current, 'home');
});

test('the first profile is the current one, whoever names it', () => {
  process.env['SSVIRT_PROFILE'] = 'passing';
  saveProfile('passing', profile);
  assert.equal(readProfiles().current, 'passing');
});

test('no other user can read the file, and one that others can read is not used', () => {
  saveProfile('work', profile);
  const file = profilesFile();
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
  chmodSync(file, 0o640);
  assert.throws(() => readProfiles(), /other users can read it \(mode 640\), so it is not used: run "chmod 600 /);
});
