/**
 * Boot sources that no VM may use: texts that are not URLs or image references, and credentials.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkImage, checkUrl } from './checks.ts';

suite('an image over HTTP', () => {
  const urls: readonly (readonly [url: string, refusal?: RegExp])[] = [
    ['https://images.example/fedora.qcow2'],
    ['http://192.0.2.7:8080/disk.img?version=2'],
    ['http://10.1.2.3/disk.img'],
    ['https://[2001:db8::1]/disk.img'],
    ['ftp://images.example/a', /not an http/],
    ['images.example/a', /not an http/],
    ['https://me:word@images.example/a', /credentials/],
    ['https://images.example/a?X-Amz-Signature=1', /credentials/],
  ];
  for (const [url, refusal] of urls)
    test(`${url} ${refusal === undefined ? 'is taken' : 'is refused'}`, () => {
      const check = (): void => checkUrl('url', url, 'everybody');
      if (refusal === undefined) assert.doesNotThrow(check);
      else assert.throws(check, refusal);
    });
});

test('a container disk is named as registries do it, without a scheme', () => {
  for (const image of ['containerdisks/fedora:42', 'registry.example:5000/a/b@sha256:' + 'a'.repeat(64)])
    assert.doesNotThrow(() => checkImage('image', image));
  for (const image of ['docker://containerdisks/fedora', 'fedora:', 'a b', ''])
    assert.throws(() => checkImage('image', image), /image: .* is not a container image reference/);
});
