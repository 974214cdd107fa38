/** Parameters of orders that must be refused. */

export interface BadParameters {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly says: RegExp;
}

export interface BadText {
  readonly name: string;
  readonly text: string;
  readonly says: RegExp;
}

/** One case for each value; all are refused with the parameter's name and the rule. */
function bad(field: string, rule: string, values: Readonly<Record<string, unknown>>): readonly BadParameters[] {
  return Object.entries(values).map(([name, value]) => ({
    name: `${name} for ${field}`,
    parameters: { [field]: value },
    says: RegExp(`spec\\.templateParameters: ${field} is .+, but must be ${rule}`),
  }));
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n';
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHm1Fyo1uR0Nf4Z5j2n3r2Z8l0m0VQ5xkqjYv0V2b3aK';

const cores = 'a whole number from 1 to 512';
const memory = 'a Kubernetes quantity of whole bytes from 1Mi to 64Ti';
const disk = 'a Kubernetes quantity of whole bytes from 1Mi to 1Pi';
const image = 'an image \\[REGISTRY/\\]NAME\\[:TAG\\]\\[@DIGEST\\] .*docker:// or oci-archive://';
const userData = 'user data for cloud-init.*not empty and of at most 1048576 bytes';
const encoded = 'padded base64 of UTF-8 text, or plain text';
const keys = 'OpenSSH public keys, each on a line of its own';
const ports = '1 to 100 different ports .*PORT/tcp or PORT/udp with a PORT from 1 to 65535';

export const badParameters: readonly BadParameters[] = [
  ...bad('cpu_cores', cores, {
    'nothing (0)': 0,
    'a negative number': -1,
    'a fraction': 2.5,
    'too many': 513,
    'a word': 'two',
    'a text with a fraction': '2.0',
    'a text with a sign': '+2',
    'a text with an exponent': '1e2',
    'a text with a blank': ' 2',
    'a hexadecimal number': '0x10',
    'more digits than a number has': '99999999999999999999',
    'digits of another script': '٢',
    'an empty text': '',
    null: null,
    'a truth value': true,
    'a list': [2],
    'an object': { value: 2 },
  }),
  ...bad('memory', memory, {
    'a unit that Kubernetes does not know': '2GB',
    'a unit in small letters': '2gi',
    'a blank before the unit': '2 Gi',
    'a word': 'lots',
    'a negative size': '-2Gi',
    'a sign': '+2Gi',
    nothing: '0',
    'a number without a unit': '512',
    'a thousandth': '100m',
    'a part of a byte': '1.1Gi',
    'more than there is': '65Ti',
    'an endless number': '1e999',
    'an empty text': '',
    null: null,
    'a list': ['2Gi'],
  }),
  ...bad('disk_size', disk, {
    nothing: '0Gi',
    'a negative size': '-10Gi',
    'a number without a unit': 10,
    'more than there is': '2Pi',
    'a word': 'ten gigabytes',
    'an object': {},
  }),
  ...bad('image_source', image, {
    'an empty text': '',
    'a blank': 'quay.io/containerdisks/fed ora',
    'a line break': 'quay.io/containerdisks/fedora\n:latest',
    'a control character': 'quay.io/containerdisks/fedora\u0007',
    'a download': 'https://example.org/fedora.qcow2',
    'a file': 'file:///etc/passwd',
    'a claim': 'pvc://other-tenant/root-disk',
    'a scheme twice': 'docker://docker://quay.io/containerdisks/fedora',
    'a scheme in capitals': 'DOCKER://quay.io/containerdisks/fedora',
    'a scheme alone': 'docker://',
    'capitals in its name': 'quay.io/containerdisks/Fedora',
    'two tags': 'quay.io/containerdisks/fedora:40:41',
    'a digest that is cut': 'quay.io/containerdisks/fedora@sha256:abc',
    'a way out of its registry': 'quay.io/../fedora',
    'a password': 'docker://me:secret@quay.io/fedora',
    'a very long name': `quay.io/${'a'.repeat(600)}`,
    'a number': 42,
    null: null,
  }),
  ...bad('cloud_init_config', userData, {
    'an empty text': '',
    'blanks only': ' \n',
    'more than a Secret holds': `#cloud-config\n# ${'€'.repeat(400_000)}`,
    'a NUL character': '#cloud-config\n\0',
    'half a character': '#cloud-config\n\ud800',
    'a number': 5,
    null: null,
    'an object': { packages: ['nginx'] },
  }),
  ...bad('cloud_init_config', encoded, {
    'base64 without its padding': base64('#cloud-config\npackages: [ab]').replace(/=+$/, ''),
    'compressed data': 'H4sIAAAAAAAAA1NOzskv',
    'base64 of base64': base64(base64('#cloud-config\npackages: [a]')),
  }),
  ...bad('ssh_public_key', 'a public key, and never a private one', {
    'a private key': privateKey,
    'a private key in base64': base64(privateKey),
    'a private key of PuTTY': 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n',
    'a private key behind a public one': `${key}\n${privateKey}`,
  }),
  ...bad('ssh_public_key', keys, {
    'a word': 'hello',
    'a type without a key': 'ssh-rsa',
    'a key without a type': key.slice('ssh-ed25519 '.length),
    'a type that OpenSSH does not know': key.replace('ed25519', 'ed448'),
    'a key of another program': '---- BEGIN SSH2 PUBLIC KEY ----\nAAAAC3Nz\n---- END SSH2 PUBLIC KEY ----\n',
    'keys with a comma between': `${key} a,${key} b`,
    'options before a key': `command="reboot" ${key}`,
    'a number': 5,
    null: null,
    'a list': [key],
  }),
  ...bad('exposed_ports', ports, {
    'an empty text': '',
    'a port without a protocol': '22',
    'a number': 22,
    'a list': ['22/tcp'],
    null: null,
    'port 0': '0/tcp',
    'port 65536': '22/tcp,65536/tcp',
    'a negative port': '-22/tcp',
    'another protocol': '22/sctp',
    'a blank in the middle': '22 /tcp',
    'a comma at the end': '22/tcp,',
    semicolons: '22/tcp;80/tcp',
    'a range': '8000-8010/tcp',
    'a zero before the port': '022/tcp',
    'a port twice': '22/tcp,80/tcp,22/tcp',
    'a hundred and one ports': Array.from({ length: 101 }, (_, index) => `${index + 1}/udp`).join(','),
  }),
  {
    name: 'two parameters that are wrong, and both are reported',
    parameters: { cpu_cores: 'many', memory: '2Gi', exposed_ports: 'ssh' },
    says: RegExp(`cpu_cores is "many", but must be ${cores}.*exposed_ports is "ssh", but must be ${ports}`),
  },
];

function noJson(name: string, text: string, where: string): BadText {
  return {
    name,
    text,
    says: RegExp(`spec\\.templateParameters: templateParameters is no JSON: ${where}.*a JSON object`),
  };
}

function noObject(name: string, text: string, what: string): BadText {
  return {
    name,
    text,
    says: RegExp(`spec\\.templateParameters: templateParameters is ${what}, but must be a JSON object`),
  };
}

export const badTexts: readonly BadText[] = [
  noJson(
    'YAML for parameters',
    'cpu_cores: 2\nmemory: 2Gi\n',
    'at line 1, column 1 there is "c" where a value was expected',
  ),
  noJson('single quotes in its parameters', `{'cpu_cores': 2}`, 'at line 1, column 2 there is "\'" where a name'),
  noJson('parameters that are cut', '{"cpu_cores": 2', 'at line 1, column 16 the text ends where a comma'),
  noJson('a text that is cut', '{"memory": "2Gi', 'at line 1, column 16 the text ends'),
  noJson('a comma too many', '{\n  "cpu_cores": 2,\n}', 'at line 3, column 1 there is "}" where a name'),
  noJson('two objects for parameters', '{} {}', 'at line 1, column 4 there is "{" where nothing more'),
  noJson('a line break in a text', '{"memory": "2\nGi"}', 'at line 1, column 14 there is ""'),
  noJson('a number that is none', '{"cpu_cores": NaN}', 'at line 1, column 15 there is "N"'),
  noObject('a list for parameters', '[{"cpu_cores": 2}]', 'a list'),
  noObject('null for parameters', 'null', 'null'),
  noObject('a text for parameters', '"cpu_cores"', 'a string'),
  noObject('a number for parameters', '2', 'a number'),
  {
    name: 'an exponent for cpu_cores',
    text: '{"cpu_cores": 1e2}',
    says: RegExp(`cpu_cores is "1e2", but must be ${cores}`),
  },
  {
    name: 'a number beyond all numbers for cpu_cores',
    text: '{"cpu_cores": 1e400}',
    says: RegExp(`cpu_cores is "1e400", but must be ${cores}`),
  },
  {
    name: 'a good value for cpu_cores before a bad one',
    text: '{"cpu_cores": 2, "cpu_cores": 0}',
    says: RegExp(`cpu_cores is "0", but must be ${cores}`),
  },
  {
    name: 'lists of great depth for memory',
    text: `{"memory": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    says: RegExp(`memory is a list, but must be ${memory}`),
  },
];
