/** Whatever an order contains: its parameters are either valid by every rule, or refused with a message. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { bytes } from '@ssvirt/base/values/quantity';
import { configVersion } from '../config-version.ts';
import { parameterNames, problemOf, readParameters, type OrderParameters } from './parameters.ts';

/** The rules again, in other words than those of the code. */
function assertGood({ cpuCores, memory, diskSize, image, userData, sshPublicKey, ports }: OrderParameters): void {
  assert.ok(Number.isInteger(cpuCores) && cpuCores > 0 && cpuCores < 513);
  for (const size of [memory, diskSize]) {
    assert.match(size, /^[\d.]+([kMGTPE]i?|Ki|[eE][+-]?\d+)?$/);
    assert.ok((bytes(size) ?? 0) >= 2 ** 20 && (bytes(size) ?? Infinity) <= 2 ** 50);
  }
  assert.match(image, /^(docker|oci-archive):\/\/[\x21-\x7e]+$/);
  assert.equal(image.split('://').length, 2);
  for (const text of [userData, sshPublicKey ?? 'x']) {
    assert.ok(text !== '' && text.isWellFormed() && !text.includes('\0'));
    assert.ok(Buffer.byteLength(text) <= 2 ** 20);
  }
  assert.doesNotMatch(sshPublicKey ?? '', /PRIVATE/);
  assert.ok(ports.length > 0 && ports.length <= 100);
  assert.equal(new Set(ports.map(({ port, protocol }) => `${protocol}-${port}`)).size, ports.length);
  for (const { port } of ports) assert.ok(port > 0 && port < 65536);
}

/** Nothing throws, and every message can be shown to people. */
function assertSound(text: string): void {
  const read = readParameters(text);
  if ('parameters' in read) assertGood(read.parameters);
  else {
    assert.ok(read.problems.length > 0 && read.problems.length <= 7);
    const { message } = problemOf(read.problems);
    assert.ok(message.isWellFormed() && message.length < 8000);
    // oxlint-disable-next-line no-control-regex -- the message must not contain these.
    assert.doesNotMatch(message, /[\u0000-\u001f\u007f-\u009f]/);
    for (const { field } of read.problems) assert.ok([...parameterNames, 'templateParameters'].includes(field));
  }
  assert.match(configVersion({ templateID: 'a', templateParameters: text }), /^[0-9a-f]{16}$/);
}

const quantityText = fc
  .tuple(fc.integer({ min: 1, max: 1000 }), fc.constantFrom('Mi', 'Gi', 'M', 'G'))
  .map(([amount, unit]) => `${unit === 'M' ? amount + 1 : amount}${unit}`);
const imageText = fc
  .tuple(
    fc.constantFrom('', 'quay.io/', 'registry.example:5000/a/'),
    fc.stringMatching(/^[a-z0-9]{1,10}([._-][a-z0-9]{1,5})?$/),
    fc.constantFrom('', ':latest', ':1.0_a'),
  )
  .map((parts) => parts.join(''));
const userDataText = fc
  .string({ unit: 'binary', maxLength: 50 })
  .map((text) => `#cloud-config\n${text.replaceAll('\0', '')}`);
const keyText = fc
  .array(fc.uint8Array({ minLength: 6, maxLength: 40 }), { minLength: 1, maxLength: 3 })
  .map((keys) => keys.map((key) => `ssh-rsa AAAA${Buffer.from(key).toString('base64')} me`).join('\n'));
const portList = fc.uniqueArray(
  fc.record(
    { port: fc.integer({ min: 1, max: 65535 }), protocol: fc.constantFrom('TCP' as const, 'UDP' as const) },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: 100, selector: ({ port, protocol }) => `${port}${protocol}` },
);

/** Parameters, and the result of reading their text. */
const good = fc.record({
  cpuCores: fc.integer({ min: 1, max: 512 }),
  memory: quantityText,
  diskSize: quantityText,
  image: imageText,
  userData: userDataText,
  sshPublicKey: keyText,
  ports: portList,
});
type Good = Required<OrderParameters>;

function written(parameters: Good, inBase64: boolean, asTexts: boolean): Readonly<Record<string, unknown>> {
  const { cpuCores, memory, diskSize, image, userData, sshPublicKey, ports } = parameters;
  const encoded = (text: string): string => (inBase64 ? Buffer.from(text).toString('base64') : text);
  return {
    cpu_cores: asTexts ? String(cpuCores) : cpuCores,
    memory,
    disk_size: diskSize,
    image_source: asTexts ? `docker://${image}` : image,
    cloud_init_config: encoded(userData),
    ssh_public_key: encoded(sshPublicKey),
    exposed_ports: ports.map(({ port, protocol }) => `${port}/${protocol.toLowerCase()}`).join(','),
  };
}

suite('any parameters', () => {
  test('that are good are read as they were meant, in each way to write them', () => {
    fc.assert(
      fc.property(good, fc.boolean(), fc.boolean(), (parameters, inBase64, asTexts) => {
        const text = JSON.stringify(written(parameters, inBase64, asTexts));
        const expected = { ...parameters, image: `docker://${parameters.image}` };
        assert.deepEqual(readParameters(text), { parameters: expected, warnings: [] });
        assertGood(expected);
      }),
    );
  });

  test('in any JSON text are good or refused', () => {
    fc.assert(fc.property(fc.json(), assertSound));
  });

  test('in any text are good or refused', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), assertSound));
  });

  const oddValue = fc.oneof(
    fc.anything({ maxDepth: 2, withNullPrototype: true }),
    fc.constantFrom(
      0,
      -1,
      1e300,
      1e-300,
      2.5,
      '',
      ' ',
      '2 ',
      '+2',
      '0x10',
      '1e2',
      '-0',
      '\ud800',
      '1Zi',
      '1.5',
      'Ei',
      '9E',
      'docker://',
      'a b',
      '22/TCP',
      ',',
    ),
    fc.string({ unit: 'binary' }),
    fc.double().map(String),
    fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some).toString('base64')),
  );
  test('with any value in the place of a good one are good or refused', () => {
    fc.assert(
      fc.property(
        good,
        fc.dictionary(fc.constantFrom(...parameterNames, '__proto__', 'other'), oddValue),
        (parameters, odd) => {
          assertSound(JSON.stringify({ ...written(parameters, false, false), ...odd }, noBigInt));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('with a few characters changed are good or refused', () => {
    const change = fc.tuple(fc.nat(), fc.nat(4), fc.string({ unit: 'binary', maxLength: 4 }));
    fc.assert(
      fc.property(good, fc.array(change, { minLength: 1, maxLength: 3 }), (parameters, changes) => {
        const text = JSON.stringify(written(parameters, false, true));
        assertSound(changes.reduce(changed, text));
      }),
      { numRuns: 500 },
    );
  });

  const deep = 200_000;
  const monsters: readonly (readonly [string, string])[] = [
    ['a value of great depth', `{"memory":${'['.repeat(deep)}${']'.repeat(deep)}}`],
    ['an unknown value of great depth', `{"x":${'{"x":'.repeat(deep)}1${'}'.repeat(deep)}}`],
    ['brackets that never close', '{"a":'.repeat(deep)],
    ['a number of many digits', `{"cpu_cores": ${'9'.repeat(deep)}}`],
    ['a text of many digits', `{"cpu_cores": "${'9'.repeat(deep)}", "memory": "${'9'.repeat(deep)}"}`],
    ['many ports', `{"exposed_ports": "${'1/tcp,'.repeat(deep)}"}`],
    ['an image that never ends', `{"image_source": "${'a-'.repeat(deep)}"}`],
    ['many dashes', `{"image_source": "${'a-'.repeat(250)}"}`],
    ['many keys', `{"ssh_public_key": "${'ssh-rsa AAAA\\n'.repeat(deep / 4)}"}`],
    ['a key with many spaces', `{"ssh_public_key": "ssh-rsa${' '.repeat(deep)}AAA"}`],
    ['much base64 that is torn', `{"cloud_init_config": "${'QUFB'.repeat(deep)}="}`],
    ['many quotes', '"'.repeat(deep)],
    ['many escapes', `{"memory": "${'\\u0000'.repeat(deep / 2)}"}`],
    ['many line breaks', '\n'.repeat(deep) + '{'],
  ];
  for (const [what, text] of monsters)
    test(`are good or refused: ${what}`, () => {
      assertSound(text);
    });
});

function noBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function changed(text: string, [at, gone, put]: readonly [number, number, string]): string {
  const from = at % (text.length + 1);
  return text.slice(0, from) + put + text.slice(from + gone);
}
