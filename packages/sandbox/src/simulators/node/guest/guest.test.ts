import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import type { VirtualMachineInstance } from '../../kubevirt/objects.ts';
import { guestOs } from '../domain/guest-os.ts';
import { accountsOf, mayLogIn, userData } from './accounts.ts';
import { Guests } from './guests.ts';
import { createLine } from './line.ts';
import { png } from './png.ts';
import { port } from './ports.ts';
import { encode, Rfb } from './rfb.ts';
import { draw, HEIGHT, WIDTH } from './screen.ts';
import type { Guest } from './shell.ts';
import { Terminal } from './terminal.ts';

const guest: Guest = {
  hostname: 'vm1',
  os: { id: 'fedora', prettyName: 'Fedora Linux 40', kernelRelease: '6.8', kernelVersion: '#1 SMP', machine: 'x86_64' },
  interfaces: [{ name: 'default', ipAddress: '10.0.0.1', mac: '02:00:00:00:00:01' }],
  uptime: () => 3_720_000,
};

function terminal(accounts = accountsOf(undefined, 'fedora')): { type(text: string): string; ended: string[] } {
  let out = '';
  const ended: string[] = [];
  const line = new Terminal({ guest, accounts, send: (text) => (out += text), ended: (how) => ended.push(how) });
  line.open(false);
  return {
    ended,
    type(text) {
      out = '';
      line.receive(Buffer.from(text));
      return out;
    },
  };
}

test('one logs in, types commands and edits lines', () => {
  const line = terminal();
  assert.match(line.type('ann\r'), /^ann\r\nPassword: $/);
  assert.match(line.type('secret\r'), /\[ann@vm1 ~\]\$ $/, 'the password is not shown');
  const cases: readonly (readonly [typed: string, answer: RegExp])[] = [
    ['hostname\r', /^hostname\r\nvm1\r\n\[ann@vm1 ~\]\$ $/],
    ['hostnamx\x7fe\r', /\r\nvm1\r\n/],
    ['whoami\r\n', /^whoami\r\nann\r\n\[ann@vm1 ~\]\$ $/],
    ['ip addr\r', /inet 10\.0\.0\.1\/24/],
    ['uptime\r', /up 1:02,/],
    ['rm -rf /\r', /-bash: rm: command not found/],
    ['junk\x15whoami\r', /\r\nann\r\n/],
    ['half a line\x03', /\^C\r\n\[ann@vm1 ~\]\$ $/],
    ['\x1b[A\x1bOBhelp\r', /This is a pretend guest/],
    ['a'.repeat(10_000), /^a{4096}$/],
    ['\x15\x04', /logout\r\n\r\nFedora Linux 40\r\nKernel 6\.8 on an x86_64 \(ttyS0\)\r\n\r\nvm1 login: $/],
  ];
  for (const [typed, answer] of cases) assert.match(line.type(typed), answer, JSON.stringify(typed.slice(0, 20)));
});

test('a guest powers itself off, and then says nothing more', () => {
  const line = terminal();
  line.type('ann\rx\r');
  assert.match(line.type('reboot\r'), /Restarting system[\s\S]*vm1 login: $/);
  line.type('ann\rx\r');
  assert.match(line.type('sudo poweroff\r'), /Power down\r\n$/);
  assert.equal(line.type('hello?\r'), '');
  assert.deepEqual(line.ended, ['reboot', 'poweroff']);
});

test('cloud-init has the users that may log in', () => {
  const cases: readonly (readonly [
    reason: string,
    text: string | undefined,
    user: string,
    password: string,
    expected: boolean,
  ])[] = [
    ['without user data anybody may', undefined, 'x', 'y', true],
    ['what is no cloud-config says nothing', '#!/bin/sh\necho', 'x', 'y', true],
    ['what cannot be read says nothing', '#cloud-config\n{', 'x', 'y', true],
    ['the default user has the password', '#cloud-config\npassword: abc', 'fedora', 'abc', true],
    ['a number is a password too', '#cloud-config\npassword: 123', 'fedora', '123', true],
    ['another password is wrong', '#cloud-config\npassword: abc', 'fedora', 'abd', false],
    ['another user is unknown', '#cloud-config\npassword: abc', 'root', 'abc', false],
    ['the user has a name', '#cloud-config\nuser: ann\npassword: abc', 'ann', 'abc', true],
    ['users have theirs', '#cloud-config\nusers:\n- name: bob\n  plain_text_passwd: b', 'bob', 'b', true],
    ['a list', '#cloud-config\nchpasswd:\n  list: |\n    root:r\n    ann:a', 'root', 'r', true],
    ['a list with another', '#cloud-config\nchpasswd:\n  list: |\n    root:r', 'root', 'x', false],
  ];
  for (const [reason, text, user, password, expected] of cases)
    assert.equal(mayLogIn(accountsOf(text, 'fedora'), user, password), expected, reason);
  const vmi: VirtualMachineInstance = {
    metadata: {},
    spec: {
      domain: {},
      volumes: [{ name: 'c', cloudInitNoCloud: { userDataBase64: Buffer.from('#cloud-config').toString('base64') } }],
    },
  };
  assert.equal(userData(vmi), '#cloud-config');
});

test('the system is guessed from preference, image or name', () => {
  const vmi = (image: string, annotations: Record<string, string> = {}, name = 'x'): VirtualMachineInstance => ({
    metadata: { name, annotations },
    spec: { domain: {}, volumes: [{ name: 'root', containerDisk: { image } }] },
  });
  const cases: readonly (readonly [VirtualMachineInstance, string])[] = [
    [vmi('example/ubuntu:24.04'), 'ubuntu'],
    [vmi('example/disk', { 'kubevirt.io/cluster-preference-name': 'windows.2k22' }), 'mswindows'],
    [vmi('example/disk', {}, 'centos-1'), 'centos'],
    [vmi('example/disk'), 'fedora'],
  ];
  for (const [of, id] of cases) assert.equal(guestOs(of)['id'], id);
});

test('a client of RFB 3.8 sees the picture, and again when a key changed it', () => {
  const sent: Buffer[] = [];
  const keys: number[] = [];
  const rfb = new Rfb({
    name: 'ns/vm1',
    width: 2,
    height: 1,
    picture: () => Uint8Array.from([255, 0, 0, 0, 0, 255]),
    key: (symbol) => keys.push(symbol),
    send: (bytes) => sent.push(bytes),
    fail: (reason) => assert.fail(reason),
  });
  const say = (bytes: number[] | string): Buffer => {
    sent.length = 0;
    // One byte at a time: a message may arrive in parts.
    for (const byte of Buffer.from(bytes as string)) rfb.receive(Buffer.from([byte]));
    return Buffer.concat(sent);
  };
  assert.equal(Buffer.concat(sent).toString(), 'RFB 003.008\n');
  assert.deepEqual([...say('RFB 003.008\n')], [1, 1]);
  assert.deepEqual([...say([1])], [0, 0, 0, 0]);
  const init = say([1]);
  assert.deepEqual([init.readUInt16BE(0), init.readUInt16BE(2), init.subarray(24).toString()], [2, 1, 'ns/vm1']);
  const request = (incremental: number): number[] => [3, incremental, 0, 0, 0, 0, 0, 2, 0, 1];
  const header = [0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0];
  const raw = [0, 0, 255, 0, 255, 0, 0, 0];
  assert.deepEqual([...say([2, 0, 0, 1, 0, 0, 0, 7])], [], 'encodings');
  assert.deepEqual([...say(request(0))], [...header, ...raw]);
  assert.deepEqual([...say(request(1))], [], 'nothing has changed');
  say([6, 0, 0, 0, 0, 0, 0, 2, 65, 66, 5, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 97]);
  assert.deepEqual(keys, [97]);
  sent.length = 0;
  rfb.changed();
  assert.deepEqual(Buffer.concat(sent), Buffer.from([...header, ...raw]));
  sent.length = 0;
  rfb.receive(Buffer.from(Array.from({ length: 100 }, () => request(0)).flat()));
  assert.deepEqual(
    Buffer.concat(sent),
    Buffer.from([...header, ...raw]),
    'who asks a hundred times at once sees it once',
  );
});

test('who speaks no RFB is sent away', () => {
  const cases: readonly (readonly [string, Buffer])[] = [
    ['HTTP', Buffer.from('GET / HTTP/1.1')],
    ['an unknown message', Buffer.from('RFB 003.008\n\x01\x01\xc8', 'latin1')],
    ['a security type', Buffer.from('RFB 003.008\n\x02', 'latin1')],
    ['an endless text', Buffer.from('RFB 003.008\n\x01\x01\x06\0\0\0\xff\xff\xff\xff', 'latin1')],
  ];
  for (const [reason, bytes] of cases) {
    let failure: string | undefined;
    const rfb = new Rfb({
      name: '',
      width: 1,
      height: 1,
      picture: () => new Uint8Array(3),
      key: () => {},
      send: () => {},
      fail: (why) => (failure = why),
    });
    rfb.receive(bytes);
    rfb.receive(Buffer.from([0]));
    assert.notEqual(failure, undefined, reason);
  }
});

test('dots are written in the format that the client asked for', () => {
  const red = Uint8Array.from([255, 0, 0]);
  assert.deepEqual([...encode(red, { bytes: 2, bigEndian: true, max: [31, 63, 31], shift: [11, 5, 0] })], [0xf8, 0]);
  assert.deepEqual([...encode(red, { bytes: 1, bigEndian: false, max: [7, 7, 3], shift: [0, 3, 6] })], [7]);
});

test('the screenshot is a PNG of the picture', () => {
  const pixels = draw({ name: 'vm1', lines: ['Fedora', '10.0.0.1'], typed: 'abc' });
  const image = png(pixels, WIDTH, HEIGHT);
  assert.equal(image.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([image.readUInt32BE(16), image.readUInt32BE(20)], [WIDTH, HEIGHT]);
  const length = image.readUInt32BE(33);
  const rows = inflateSync(image.subarray(41, 41 + length));
  assert.equal(rows.length, (WIDTH * 3 + 1) * HEIGHT);
  assert.deepEqual([...rows.subarray(1, 4)], [...pixels.subarray(0, 3)]);
  assert.notDeepEqual(pixels, draw({ name: 'vm2', lines: ['Fedora', '10.0.0.1'], typed: 'abc' }));
});

test('ports answer: a web page, an SSH server, an echo', () => {
  const ask = (number: number, text: string): { out: string; ended: boolean } => {
    const found = { out: '', ended: false };
    const options = {
      hostname: 'vm1',
      send: (bytes: Buffer) => (found.out += bytes.toString()),
      end: () => (found.ended = true),
    };
    port(number, options).receive(Buffer.from(text));
    return found;
  };
  assert.match(
    ask(80, 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n').out,
    /^HTTP\/1\.1 200 OK[\s\S]*Hello from vm1\.\nGET \/x HTTP\/1\.1\n$/,
  );
  assert.equal(ask(80, 'GET /x').out, '');
  assert.equal(ask(22, 'SSH-2.0-x\r\n').out, 'SSH-2.0-OpenSSH_9.6\r\n');
  assert.equal(ask(5432, 'hello').out, 'hello');
});

test('a client that only talks is not listened to for ever, and is again when it has read', async () => {
  let heard = 0;
  const line = createLine((bytes) => {
    heard += bytes.length;
    line.send(Buffer.alloc(10 * bytes.length));
  });
  const written = 4 * 1024 * 1024;
  const finished = once(line.stream, 'finish');
  line.stream.end(Buffer.alloc(written));
  await setImmediate();
  assert.ok(heard > 0 && heard < written / 10, `${heard} bytes were heard`);
  let read = 0;
  for await (const chunk of line.stream as AsyncIterable<Buffer>) read += chunk.length;
  await finished;
  assert.deepEqual([heard, read], [written, 10 * written]);
});

test('sessions end with their guest', async () => {
  const vmi: VirtualMachineInstance = { metadata: { name: 'vm1', namespace: 'ns', uid: 'u' }, spec: { domain: {} } };
  const guests = new Guests({ current: () => vmi, powerOff: () => {} });
  const streams = [guests.console(vmi), guests.vnc(vmi), guests.port(vmi, 5432)];
  const ends = streams.map((stream) => once(stream.resume(), 'end'));
  guests.end('u');
  await Promise.all(ends);
});
