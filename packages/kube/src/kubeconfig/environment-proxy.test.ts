import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { proxyFromEnvironment } from './environment-proxy.ts';
import { KubeconfigError } from './error.ts';

const PROXY = 'http://proxy.example:3128';

describe('which servers go without the proxy', () => {
  const cases: readonly { readonly server: string; readonly noProxy: string; readonly proxied: boolean }[] = [
    { server: 'https://east.example:6443', noProxy: '', proxied: true },
    { server: 'https://localhost:6443', noProxy: '', proxied: false },
    { server: 'https://127.0.0.1:6443', noProxy: '', proxied: false },
    { server: 'https://127.9.9.9', noProxy: '', proxied: false },
    { server: 'https://[::1]:6443', noProxy: '', proxied: false },
    { server: 'https://127.example', noProxy: '', proxied: true },
    { server: 'https://east.example', noProxy: '*', proxied: false },
    { server: 'https://east.example', noProxy: 'west.example, east.example', proxied: false },
    { server: 'https://EAST.example', noProxy: 'East.Example', proxied: false },
    { server: 'https://api.east.example', noProxy: 'east.example', proxied: false },
    { server: 'https://api.east.example', noProxy: '.east.example', proxied: false },
    { server: 'https://api.east.example', noProxy: '*.east.example', proxied: false },
    { server: 'https://east.example', noProxy: '.east.example', proxied: true },
    { server: 'https://northeast.example', noProxy: 'east.example', proxied: true },
    { server: 'https://east.example:6443', noProxy: 'east.example:6443', proxied: false },
    { server: 'https://east.example', noProxy: 'east.example:443', proxied: false },
    { server: 'https://east.example:6443', noProxy: 'east.example:443', proxied: true },
    { server: 'https://10.96.0.1', noProxy: '10.96.0.0/12', proxied: false },
    { server: 'https://10.112.0.1', noProxy: '10.96.0.0/12', proxied: true },
    { server: 'https://10.96.0.1', noProxy: '10.96.0.1', proxied: false },
    { server: 'https://10.96.0.1:6443', noProxy: '10.96.0.1:6443', proxied: false },
    { server: 'https://10.96.0.1:6443', noProxy: '10.96.0.1:443', proxied: true },
    { server: 'https://10.96.0.1', noProxy: '96.0.1', proxied: true },
    { server: 'https://[fd00::1]:6443', noProxy: 'fd00::/8', proxied: false },
    { server: 'https://[fd00::1]:6443', noProxy: 'fd00::1', proxied: false },
    { server: 'https://[fd00::1]:6443', noProxy: '[fd00::1]:6443', proxied: false },
    { server: 'https://[fd00::1]:6443', noProxy: '[fd00::1]:443', proxied: true },
    { server: 'https://east.example', noProxy: '10.0.0.0/8,,:443,/,10.0.0.0/99', proxied: true },
  ];
  for (const { server, noProxy, proxied } of cases)
    test(`${server} with NO_PROXY=${noProxy} ${proxied ? 'goes through it' : 'does'}`, () => {
      const found = proxyFromEnvironment(server, { HTTPS_PROXY: PROXY, NO_PROXY: noProxy });
      assert.equal(found, proxied ? PROXY : undefined);
    });
});

describe('which proxy it is', () => {
  for (const { server, env, expected } of [
    { server: 'https://east.example', env: { https_proxy: PROXY, no_proxy: 'west.example' }, expected: PROXY },
    { server: 'https://east.example', env: { HTTP_PROXY: PROXY }, expected: undefined },
    { server: 'http://east.example', env: { HTTP_PROXY: PROXY, HTTPS_PROXY: 'http://other' }, expected: PROXY },
    { server: 'https://east.example', env: { HTTPS_PROXY: 'proxy.example:3128' }, expected: PROXY },
    { server: 'https://east.example', env: { HTTPS_PROXY: '', https_proxy: PROXY }, expected: PROXY },
    { server: 'https://east.example', env: {}, expected: undefined },
  ])
    test(`${JSON.stringify(env)} means ${expected} for ${server}`, () => {
      assert.equal(proxyFromEnvironment(server, env), expected);
    });

  test('one that we cannot use is refused by the name of the variable, without its password', () => {
    assert.throws(
      () => proxyFromEnvironment('https://east.example', { HTTPS_PROXY: 'socks5://ann:secret@proxy:1080' }),
      (error) => {
        assert.ok(error instanceof KubeconfigError);
        assert.match(error.message, /HTTPS_PROXY: SOCKS/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
  });
});
