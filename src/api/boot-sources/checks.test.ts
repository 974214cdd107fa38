/** What no machine is made of: addresses that only the cluster itself could reach, and images that are none. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkImage, checkUrl } from './checks.ts';

suite('an image over HTTP', () => {
  const urls: readonly (readonly [url: string, refusal?: RegExp])[] = [
    ['https://images.example/fedora.qcow2'],
    ['http://192.0.2.7:8080/disk.img?version=2'],
    ['http://10.1.2.3/disk.img'],
    ['https://[2001:db8::1]/disk.img'],
    ['ftp://images.example/a', /no http/],
    ['images.example/a', /no http/],
    ['https://me:word@images.example/a', /credentials/],
    ['https://images.example/a?X-Amz-Signature=1', /credentials/],
    ['http://localhost/a', /inside/],
    ['http://LOCALHOST./a', /inside/],
    ['http://registry/a', /inside/],
    ['http://minio.tenant.svc/a', /inside/],
    ['http://minio.tenant.svc.cluster.local/a', /inside/],
    ['http://metadata.google.internal/a', /inside/],
    ['http://127.1/a', /inside/],
    ['http://2130706433/a', /inside/],
    ['http://0x7f.0.0.1/a', /inside/],
    ['http://169.254.169.254/latest/meta-data', /inside/],
    ['http://0.0.0.0/a', /inside/],
    ['http://[::1]/a', /inside/],
    ['http://[fe80::1]/a', /inside/],
    ['http://[::ffff:127.0.0.1]/a', /inside/],
    ['http://[::ffff:169.254.169.254]/a', /inside/],
    ['http://[64:ff9b::a9fe:a9fe]/a', /inside/],
    ['http://[::]/a', /inside/],
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
    assert.throws(() => checkImage('image', image), /image: .* is no reference/);
});
