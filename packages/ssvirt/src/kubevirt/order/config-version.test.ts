import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configVersion, desiredVersion } from './config-version.ts';

const cases = [
  { reason: 'a template alone', spec: { templateID: 'sample_template' }, version: 'aa32274dc7191c79' },
  {
    reason: 'a template and parameters',
    spec: { templateID: 'osac.templates.ocp_virt_vm', templateParameters: '{"cpu_cores":"2","memory":"2Gi"}' },
    version: '9b2e4a5896754793',
  },
] as const;

for (const { reason, spec, version } of cases)
  void test(`the version of ${reason} is the one that the origin computes`, () => {
    assert.equal(configVersion(spec), version);
  });

void test('a version that the order names itself goes before the computed one, an empty one does not', () => {
  assert.equal(desiredVersion({ templateID: 'sample_template', desiredConfigVersion: 'v7' }), 'v7');
  assert.equal(desiredVersion({ templateID: 'sample_template', desiredConfigVersion: '' }), 'aa32274dc7191c79');
});

/** A textbook implementation, byte by byte. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % 2n ** 64n;
  return hash.toString(16).padStart(16, '0');
}

void test('the version of whatever text is the hash of what Go writes', () => {
  const templateParameters = '{"cloud_init_config":"a < b && c > d \u2028 ä € 😀"}';
  const escaped = [
    ['<', '\\u003c'],
    ['>', '\\u003e'],
    ['&', '\\u0026'],
    ['\u2028', '\\u2028'],
  ] as const;
  const written = escaped.reduce(
    (text, [sign, by]) => text.replaceAll(sign, by),
    JSON.stringify({ templateID: 't', templateParameters }),
  );
  assert.equal(configVersion({ templateID: 't', templateParameters }), fnv1a(written));
});
