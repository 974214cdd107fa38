import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { identity } from './cases.fixture.ts';
import { cloudInit, secretText, wantedSecret, type CloudInit } from './cloud-init.ts';
import { childMetadata } from './identity.ts';
import type { CloudInitSpec } from './resource.ts';

const name = 'vm-custom-vm-cloudinit';

function told(spec: CloudInitSpec | undefined, secretText?: string): CloudInit {
  const built = cloudInit(identity, spec === undefined ? {} : { cloudInit: spec }, secretText);
  assert.ok(!('problem' in built), JSON.stringify(built));
  return built;
}

const textsIn = ({ secret }: CloudInit): object =>
  Object.fromEntries(
    Object.entries((secret?.['data'] ?? {}) as Record<string, string>).map(([key, text]) => [
      key,
      Buffer.from(text, 'base64').toString(),
    ]),
  );

suite('cloud-init data', () => {
  test('are none where nothing is said', () => {
    for (const spec of [undefined, {}, { userData: '' }, { networkData: '' }]) assert.deepEqual(told(spec), {});
  });

  test('stand in the virtual machine where they are short', () => {
    assert.deepEqual(told({ userData: '#cloud-config\n', networkData: 'version: 2\n' }), {
      volume: {
        name: 'cloudinitdisk',
        cloudInitNoCloud: { userData: '#cloud-config\n', networkData: 'version: 2\n' },
      },
    });
  });

  test('have user data in any case: without them cloud-init looks at nothing else', () => {
    const { volume } = told({ networkData: 'version: 2\n' });
    assert.deepEqual(volume?.['cloudInitNoCloud'], { userData: '#cloud-config\n', networkData: 'version: 2\n' });
  });

  const limits: readonly (readonly [why: string, spec: CloudInitSpec, bySecret: boolean])[] = [
    ['2048 bytes', { userData: 'x'.repeat(2048) }, false],
    ['2049 bytes', { userData: 'x'.repeat(2049) }, true],
    ['1025 letters of two bytes', { userData: 'ä'.repeat(1025) }, true],
    ['long network data', { userData: 'x', networkData: 'x'.repeat(2049) }, true],
  ];
  for (const [why, spec, bySecret] of limits)
    test(`stand in ${bySecret ? 'a Secret' : 'the virtual machine'}: ${why}`, () =>
      assert.equal(told(spec).secret !== undefined, bySecret));

  test('go into one Secret in the keys that KubeVirt reads', () => {
    const built = told({ userData: 'u'.repeat(3000), networkData: 'n' });
    assert.deepEqual(built.secret?.metadata, childMetadata(identity, name));
    assert.deepEqual(textsIn(built), { userdata: 'u'.repeat(3000), networkdata: 'n' });
    assert.deepEqual(built.volume, {
      name: 'cloudinitdisk',
      cloudInitNoCloud: { secretRef: { name }, networkDataSecretRef: { name } },
    });
  });

  test('that come out of a Secret go into one, however short', () => {
    const built = told({ secretRef: { name: 'machine-secrets', key: 'text' } }, 'u');
    assert.deepEqual(textsIn(built), { userdata: 'u' });
    assert.deepEqual(built.volume?.['cloudInitNoCloud'], { secretRef: { name } });
  });

  test('are looked for in a Secret only where the Machine does not say them itself', () => {
    const secretRef = { name: 'machine-secrets' };
    assert.deepEqual(wantedSecret({ cloudInit: { secretRef } }), { name: 'machine-secrets', key: 'userdata' });
    assert.deepEqual(wantedSecret({ cloudInit: { secretRef: { ...secretRef, key: 'k' }, networkData: 'n' } }), {
      name: 'machine-secrets',
      key: 'k',
    });
    assert.equal(wantedSecret({ cloudInit: { secretRef, userData: 'u' } }), undefined);
    assert.equal(wantedSecret({}), undefined);
    assert.deepEqual(told({ secretRef, userData: 'u' }), {
      volume: { name: 'cloudinitdisk', cloudInitNoCloud: { userData: 'u' } },
    });
  });

  test('are missed with the name of the Secret and of the key', () => {
    const built = cloudInit(identity, { cloudInit: { secretRef: { name: 'machine-secrets' } } });
    assert.ok('problem' in built);
    assert.equal(built.problem.reason, 'CloudInitSecretNotFound');
    assert.match(built.problem.message, /"machine-secrets" with the key "userdata" .* namespace "default"/);
  });

  test('are refused where no Secret holds them, without showing them', () => {
    const limit = 1024 * 1024;
    assert.ok(told({ userData: 'secret'.padEnd(limit, 'x') }).secret !== undefined);
    const built = cloudInit(identity, { cloudInit: { userData: 'secret'.padEnd(limit, 'x'), networkData: 'y' } });
    assert.ok('problem' in built);
    assert.equal(built.problem.reason, 'InvalidSpec');
    assert.match(built.problem.message, /1048577 bytes .* at most 1048576\. Let the guest fetch/);
    assert.doesNotMatch(built.problem.message, /secretx/);
  });
});

suite('a Secret with user data', () => {
  const wanted = { name: 'words', key: 'guest' };
  const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64');

  test('is read as text', () => {
    assert.deepEqual(secretText(wanted, undefined), {});
    assert.deepEqual(secretText(wanted, { guest: base64('grüß dich') }), { text: 'grüß dich' });
    assert.deepEqual(secretText(wanted, { guest: '' }), { text: '' });
  });

  const bad: readonly (readonly [reason: string, says: RegExp, data: Record<string, string>])[] = [
    ['CloudInitSecretNotFound', /"words" has no key "guest" \(it has none\): add it/, {}],
    ['CloudInitSecretNotFound', /\(it has "a", "b"\)/, { a: base64('secret'), b: '' }],
    [
      'CloudInitSecretNotFound',
      /"k9", …\)/,
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, ''])),
    ],
    [
      'CloudInitSecretInvalid',
      /"guest" of the Secret "words" is not UTF-8 text/,
      { guest: base64(Uint8Array.of(0x1f, 0x8b)) },
    ],
  ];
  for (const [reason, says, data] of bad)
    test(`is refused, and what it holds is not told: ${says.source}`, () => {
      const found = secretText(wanted, data);
      assert.ok('problem' in found);
      assert.equal(found.problem.reason, reason);
      assert.match(found.problem.message, says);
      assert.doesNotMatch(found.problem.message, /secret\b/);
    });
});
