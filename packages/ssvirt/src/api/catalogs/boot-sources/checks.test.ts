/**
 * Boot sources that no VM may use: addresses that only the cluster can reach, and texts that are not image references.
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
    ['http://localhost/a', /cluster-internal/],
    ['http://LOCALHOST./a', /cluster-internal/],
    ['http://registry/a', /cluster-internal/],
    ['http://minio.tenant.svc/a', /cluster-internal/],
    ['http://minio.tenant.svc.cluster.local/a', /cluster-internal/],
    ['http://metadata.google.internal/a', /cluster-internal/],
    ['http://127.1/a', /cluster-internal/],
    ['http://2130706433/a', /cluster-internal/],
    ['http://0x7f.0.0.1/a', /cluster-internal/],
    ['http://169.254.169.254/latest/meta-data', /cluster-internal/],
    ['http://0.0.0.0/a', /cluster-internal/],
    ['http://[::1]/a', /cluster-internal/],
    ['http://[fe80::1]/a', /cluster-internal/],
    ['http://[::ffff:127.0.0.1]/a', /cluster-internal/],
    ['http://[::ffff:169.254.169.254]/a', /cluster-internal/],
    ['http://[64:ff9b::a9fe:a9fe]/a', /cluster-internal/],
    ['http://[::]/a', /cluster-internal/],
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
