import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { welcome, type Welcome } from './welcome.ts';

const one: Welcome = {
  clusters: [{ name: 'sandbox', url: 'https://127.0.0.1:7443' }],
  kubeconfig: '/home/me/sandbox.kubeconfig',
  milliseconds: 120,
  hasKubectl: true,
};

/** The printed commands, each run by a shell in which a fake kubectl prints its arguments. */
function commands(text: string): string[] {
  const lines = text.split('\n').filter((line) => /^ {2}(kubectl|export) /.test(line));
  const script = `kubectl() { printf '%s|%s\\n' "\${KUBECONFIG:-}" "$*"; }\n${lines.join('\n')}\n`;
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', script], {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n');
}

test('the commands name the kubeconfig by the flag, and then by the variable', () => {
  assert.deepEqual(commands(welcome(one)), [
    '|--kubeconfig /home/me/sandbox.kubeconfig get ns',
    '/home/me/sandbox.kubeconfig|create configmap hello --from-literal=who=world',
    '/home/me/sandbox.kubeconfig|get configmap hello -o yaml',
    '/home/me/sandbox.kubeconfig|api-resources',
  ]);
});

test('where machines are simulated, there is a tour of five commands', () => {
  const lines = welcome({ ...one, hasMachines: true }).split('\n');
  const tour = lines.filter((line) => /^ {2}(echo|kubectl -n)/.test(line)).join('\n');
  const script = `kubectl() { [ -t 0 ] || sed 's/$/ < /' | tr -d '\\n'; echo "$*"; }\n${tour}`;
  const { stdout, stderr } = spawnSync('sh', ['-euc', script], { input: '', encoding: 'utf8' });
  assert.equal(stderr, '');
  const machines = '/apis/subresources.kubevirt.io/v1/namespaces/demo/virtualmachines';
  const templates = '/apis/subresources.template.kubevirt.io/v1beta1/namespaces/demo/virtualmachinetemplates';
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    `{"parameters":{"NAME":"web"}} < create --raw ${templates}/fedora/create -f -`,
    '-n demo wait vm web --for=jsonpath={.status.printableStatus}=Running --timeout=2m',
    `{} < replace --raw ${machines}/web/stop -f -`,
    '-n demo get vm,vmi,pod,pvc',
    '-n demo delete vm web',
  ]);
  assert.match(lines.join('\n'), /^ {2}kubectl --kubeconfig \S+ get vm --all-namespaces$/m);
});

test('the commands can be pasted wherever the repository is', () => {
  for (const kubeconfig of ['/a b/c.kubeconfig', "/it's/$HOME;x", '/ä/`x`']) {
    const [first, second] = commands(welcome({ ...one, kubeconfig }));
    assert.equal(first, `|--kubeconfig ${kubeconfig} get ns`);
    assert.ok(second?.startsWith(`${kubeconfig}|create`), second);
  }
});

test('several clusters are listed with their addresses and how to reach the others', () => {
  const clusters = [1, 2].map((n) => ({ name: `sandbox-${n}`, url: `https://127.0.0.1:744${n}` }));
  const text = welcome({ ...one, clusters });
  for (const { name, url } of clusters) assert.match(text, new RegExp(`^ {2}${name} +${url}$`, 'm'));
  assert.equal(commands(text).at(-1), '/home/me/sandbox.kubeconfig|--context sandbox-2 get ns');
  assert.doesNotMatch(welcome(one), /--context/);
});

test('what happens to the state is said', () => {
  assert.match(welcome(one), /State is in memory and ends with this process/);
  assert.match(welcome({ ...one, data: '/var/sandbox' }), /State is stored in \/var\/sandbox\./);
});

test('a user without kubectl learns where to get it', () => {
  assert.doesNotMatch(welcome(one), /kubernetes\.io/);
  assert.match(welcome({ ...one, hasKubectl: false }), /https:\/\/kubernetes\.io\/docs\/tasks\/tools\//);
});
