import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goPath, goQuery, hostPort } from './go-url.ts';

const paths: [given: string, sent: string, reason: string][] = [
  ['/apis/a.b/v1/things', '/apis/a.b/v1/things', 'nothing to do'],
  ['/a%2Fb', '/a/b', 'an encoded slash does not survive'],
  ["/a!*'()", '/a%21%2A%27%28%29', 'Go escapes what the RFC would let stand'],
  ['/a:b@c$&+,;=~-_.', '/a:b@c$&+,;=~-_.', 'these are left as they are in a path'],
  ['/a%3Fb%23c%25', '/a%3Fb%23c%25', 'these would end the path'],
  ['/%C3%A4', '/%C3%A4', 'UTF-8'],
  ['/%zz', '/%zz', 'no valid encoding'],
];
for (const [given, sent, reason] of paths)
  test(`a path is spelled as Go spells it: ${reason}`, () => assert.equal(goPath(given), sent));

const queries: [given: string, sent: string, reason: string][] = [
  ['', '', 'no query, no question mark'],
  ['z=1&a=2&a=1', '?a=2&a=1&z=1', 'keys are sorted, values of a key are not'],
  ['a=b%20c~*', '?a=b+c~%2A', 'spaces and asterisks'],
  ['watch', '?watch=', 'a key alone'],
];
for (const [given, sent, reason] of queries)
  test(`a query is spelled as Go spells it: ${reason}`, () => assert.equal(goQuery(new URLSearchParams(given)), sent));

test('an IPv6 address has brackets before its port', () => {
  assert.equal(hostPort('::1', 443), '[::1]:443');
  assert.equal(hostPort('localhost', 443), 'localhost:443');
});
