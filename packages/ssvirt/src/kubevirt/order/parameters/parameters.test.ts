/** The parameters of an order: what is accepted, what is refused, and with which message. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  aapProblem,
  defaultParameters,
  parameterNames,
  problemOf,
  readParameters,
  type OrderParameters,
} from './parameters.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHm1Fyo1uR0Nf4Z5j2n3r2Z8l0m0VQ5xkqjYv0V2b3aK me@home';
const otherKey = 'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTY=';
const userData = '#cloud-config\npackages: [nginx]\n# äöü €\n';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Throws if the parameters are refused. */
function taken(parameters: Readonly<Record<string, unknown>> | string): OrderParameters {
  const read = readParameters(typeof parameters === 'string' ? parameters : JSON.stringify(parameters));
  if ('problems' in read) throw new Error(problemOf(read.problems).message);
  return read.parameters;
}

function warningsOf(text: string): readonly string[] {
  const read = readParameters(text);
  return 'warnings' in read ? read.warnings : ['it was refused'];
}

suite('parameters that are absent', () => {
  for (const text of [undefined, '', ' \n', '{}', ' { } '])
    test(`take AAP's defaults: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readParameters(text), { parameters: defaultParameters, warnings: [] });
    });

  test('do not change those that are there', () => {
    assert.deepEqual(taken({ memory: '4Gi' }), { ...defaultParameters, memory: '4Gi' });
  });
});

suite('parameters that are taken', () => {
  test('as the fulfillment service writes them, all seven', () => {
    const text = JSON.stringify({
      cloud_init_config: base64(userData),
      cpu_cores: '4',
      disk_size: '50Gi',
      exposed_ports: '22/tcp,80/tcp,53/udp,53/tcp',
      image_source: 'quay.io/containerdisks/ubuntu:24.04',
      memory: '8Gi',
      ssh_public_key: key,
    });
    assert.deepEqual(readParameters(text), {
      parameters: {
        cpuCores: 4,
        memory: '8Gi',
        diskSize: '50Gi',
        image: 'docker://quay.io/containerdisks/ubuntu:24.04',
        userData,
        sshPublicKey: key,
        ports: [
          { port: 22, protocol: 'TCP' },
          { port: 80, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
          { port: 53, protocol: 'TCP' },
        ],
      },
      warnings: [],
    });
    assert.equal(parameterNames.length, 7);
  });

  const digest = `sha256:${'a1'.repeat(32)}`;
  const cases: readonly (readonly [string, unknown, keyof OrderParameters, unknown])[] = [
    ['cpu_cores', 1, 'cpuCores', 1],
    ['cpu_cores', 512, 'cpuCores', 512],
    ['cpu_cores', '512', 'cpuCores', 512],
    ['memory', '1Mi', 'memory', '1Mi'],
    ['memory', '1.5Gi', 'memory', '1.5Gi'],
    ['memory', '2G', 'memory', '2G'],
    ['memory', '2e9', 'memory', '2e9'],
    ['memory', 2147483648, 'memory', '2147483648'],
    ['memory', '64Ti', 'memory', '64Ti'],
    ['disk_size', '1Pi', 'diskSize', '1Pi'],
    ['disk_size', '0.5Ti', 'diskSize', '0.5Ti'],
    ['image_source', 'fedora', 'image', 'docker://fedora'],
    ['image_source', 'docker://quay.io/a/b:1', 'image', 'docker://quay.io/a/b:1'],
    ['image_source', 'oci-archive://images/a.tar:b', 'image', 'oci-archive://images/a.tar:b'],
    ['image_source', 'Registry.example:5000/a_b/c--d:V1.0', 'image', 'docker://Registry.example:5000/a_b/c--d:V1.0'],
    ['image_source', `[::1]:5000/a@${digest}`, 'image', `docker://[::1]:5000/a@${digest}`],
    ['image_source', `quay.io/a:b@${digest}`, 'image', `docker://quay.io/a:b@${digest}`],
    ['cloud_init_config', userData, 'userData', userData],
    ['cloud_init_config', base64(userData), 'userData', userData],
    ['cloud_init_config', `${base64(userData)}\n`, 'userData', userData],
    ['cloud_init_config', base64(userData).replaceAll(/.{8}/g, '$&\r\n'), 'userData', userData],
    ['cloud_init_config', 'I2Nsb3VkLWNvbmZpZw==', 'userData', '#cloud-config'],
    ['cloud_init_config', `#!/bin/sh\n${'x'.repeat(700_000)}`, 'userData', `#!/bin/sh\n${'x'.repeat(700_000)}`],
    ['ssh_public_key', key, 'sshPublicKey', key],
    ['ssh_public_key', base64(key), 'sshPublicKey', key],
    ['ssh_public_key', `# ours\n${key}\r\n\n${otherKey}\n`, 'sshPublicKey', `# ours\n${key}\r\n\n${otherKey}\n`],
    ['ssh_public_key', '', 'sshPublicKey', undefined],
    [
      'exposed_ports',
      ' 22/tcp, 80/TCP ',
      'ports',
      [
        { port: 22, protocol: 'TCP' },
        { port: 80, protocol: 'TCP' },
      ],
    ],
    ['exposed_ports', '65535/udp', 'ports', [{ port: 65535, protocol: 'UDP' }]],
  ];
  for (const [name, value, field, expected] of cases)
    test(`with ${name} ${JSON.stringify(value).slice(0, 60)}`, () => {
      assert.deepEqual(taken({ [name]: value })[field], expected);
    });

  test('with 100 ports, as many as there may be', () => {
    const exposed = Array.from({ length: 100 }, (_, index) => `${index + 1}/tcp`).join(',');
    assert.equal(taken({ exposed_ports: exposed }).ports.length, 100);
  });
});

suite('what AAP refuses', () => {
  const refusal = (ports: string): string | undefined => aapProblem(JSON.stringify({ exposed_ports: ports }))?.message;

  test('is named with the character and its place, though the controller accepts it', () => {
    assert.match(
      refusal('22/tcp, 80/tcp') ?? '',
      /^exposed_ports is "22\/tcp, 80\/tcp".*Character 8 is a blank, which AAP/,
    );
    assert.match(refusal('22/TCP') ?? '', /Character 4 is "T", which AAP refuses/);
  });

  test('is nothing else', () => {
    for (const ports of ['22/tcp,80/tcp', '22/sctp', '']) assert.equal(refusal(ports), undefined, ports);
    assert.equal(aapProblem('no JSON'), undefined);
    assert.equal(aapProblem(undefined), undefined);
  });
});

suite('parameters that are odd', () => {
  test('are warned of where their name is not known, with the one that was meant', () => {
    assert.deepEqual(warningsOf('{"cpuCores": 4, "flavour": "big"}'), [
      'The parameter "cpuCores" is not known and does nothing: write "cpu_cores".',
      'The parameter "flavour" is not known and does nothing: known are cpu_cores, memory, disk_size, image_source, cloud_init_config, ssh_public_key, exposed_ports.',
    ]);
  });

  test('are not taken for the inner life of objects', () => {
    const text = '{"__proto__": {"cpu_cores": 9}, "constructor": 1, "toString": 2}';
    assert.equal(taken(text).cpuCores, 2);
    assert.equal(warningsOf(text).length, 3);
  });

  test('are warned of where they stand twice, and the last one counts', () => {
    const text = '{"cpu_cores": 1, "memory": "1Gi", "cpu\\u005fcores": 3, "other": {"cpu_cores": 4, "cpu_cores": 5}}';
    assert.equal(taken(text).cpuCores, 3);
    assert.match(warningsOf(text)[0] ?? '', /"cpu_cores" appears more than once: the last one applies/);
    assert.equal(warningsOf(text).length, 2);
  });

  test('by the thousand are warned of in a few lines', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
    const warnings = warningsOf(JSON.stringify(many));
    assert.equal(warnings.length, 11);
    assert.match(warnings[10] ?? '', /^The parameter "x10" and 4989 more is not known/);
  });

  test('are warned of where user data begins like none', () => {
    assert.match(warningsOf('{"cloud_init_config": "packages: []"}')[0] ?? '', /does not begin like user data/);
    assert.deepEqual(warningsOf(JSON.stringify({ cloud_init_config: 'Content-Type: multipart/mixed\n' })), []);
  });
});

suite('what is wrong', () => {
  test('is reported all at once, each problem with its field, value and rule', () => {
    const read = readParameters('{"cpu_cores": 0, "memory": "lots", "exposed_ports": "22"}');
    assert.ok('problems' in read);
    assert.deepEqual(
      read.problems.map(({ field, value }) => [field, value]),
      [
        ['cpu_cores', '"0"'],
        ['memory', '"lots"'],
        ['exposed_ports', '"22"'],
      ],
    );
    const { reason, message } = problemOf(read.problems);
    assert.equal(reason, 'InvalidParameters');
    for (const { message: one, rule } of read.problems) {
      assert.ok(message.includes(one));
      assert.ok(one.includes(rule));
    }
  });

  test('is shown cut, on one line', () => {
    const read = readParameters(JSON.stringify({ memory: `a\nb\u0007${'c'.repeat(10_000)}` }));
    assert.ok('problems' in read);
    assert.match(read.problems[0]?.value ?? '', /^"a b c{55}…"$/);
  });

  const secrets = {
    cloud_init_config: `#cloud-config ${'hunter2 '.repeat(200_000)}`,
    ssh_public_key: `-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n-----END OPENSSH PRIVATE KEY-----\n`,
    image_source: 'docker://me:hunter2@registry.example/a',
  };
  for (const [name, value] of Object.entries(secrets))
    test(`never shows what may be a secret: ${name}`, () => {
      const read = readParameters(JSON.stringify({ [name]: value }));
      assert.ok('problems' in read);
      assert.equal(read.problems.length, 1);
      assert.doesNotMatch(JSON.stringify(read), /hunter2/);
    });

  test('in the JSON itself is reported by its place, without its text', () => {
    const read = readParameters('{\n  "cloud_init_config": "hunter2" "memory": "2Gi"}');
    assert.ok('problems' in read);
    const { message } = problemOf(read.problems);
    assert.match(message, /templateParameters is no JSON: at line 2, column 34 there is """ where a comma/);
    assert.doesNotMatch(message, /hunter2/);
  });
});
