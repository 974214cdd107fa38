import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverUrl } from './url.ts';

const cases: readonly (readonly [given: string, kept: string | RegExp])[] = [
  ['https://cloud.example.org', 'https://cloud.example.org'],
  ['https://cloud.example.org/', 'https://cloud.example.org'],
  ['https://cloud.example.org:8443/vcd//', 'https://cloud.example.org:8443/vcd'],
  ['cloud.example.org', 'https://cloud.example.org'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://localhost:8080/', 'http://localhost:8080'],
  ['http://cloud.example.org', /is not encrypted/],
  ['http://127.0.0.1.example.org', /is not encrypted/],
  ['https://ava:secret@cloud.example.org', /must not contain a user or a password/],
  ['ftp://cloud.example.org', /is not a server address/],
  ['', /is not a server address/],
];

for (const [given, kept] of cases)
  test(`the address "${given}" is ${typeof kept === 'string' ? 'taken' : 'refused'}`, () => {
    if (typeof kept === 'string') return assert.equal(serverUrl(given), kept);
    assert.throws(() => serverUrl(given), kept);
    assert.throws(
      () => serverUrl(given),
      (error: Error) => !error.message.includes('secret'),
    );
  });
