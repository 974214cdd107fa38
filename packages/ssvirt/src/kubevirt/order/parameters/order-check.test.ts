import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floatingIpTemplates, nativeTemplates } from '../resource.ts';
import { checkOrder, type OrderCheck } from './order-check.ts';

const lists = { native: nativeTemplates, floatingIp: floatingIpTemplates };
const native = 'osac.templates.ocp_virt_vm';

const on = (templateID: string, parameters: unknown): OrderCheck =>
  checkOrder({ templateID, templateParameters: JSON.stringify(parameters) }, lists);

test('an order that says nothing has all the defaults', () => {
  assert.deepEqual(checkOrder({ templateID: native }, lists), {
    problems: [],
    warnings: [],
    parameters: {
      cpu_cores: 2,
      memory: '2Gi',
      disk_size: '10Gi',
      image_source: 'docker://quay.io/containerdisks/fedora:latest',
      exposed_ports: '22/tcp',
      cloud_init_config: '(13 bytes, not shown)',
    },
  });
});

test('numbers in texts, ports and images come out as they are used', () => {
  const { parameters, problems } = on(native, {
    cpu_cores: '4',
    image_source: 'quay.io/a/b:1',
    exposed_ports: '53/udp,53/tcp',
  });
  assert.deepEqual(problems, []);
  assert.equal(parameters?.cpu_cores, 4);
  assert.equal(parameters?.image_source, 'docker://quay.io/a/b:1');
  assert.equal(parameters?.exposed_ports, '53/udp,53/tcp');
});

test('all problems are reported at once, with field, value and rule', () => {
  const { problems, parameters } = on(native, { cpu_cores: 0, memory: 'lots', exposed_ports: '99999/tcp' });
  assert.deepEqual(problems.map(({ field }) => field).toSorted(), ['cpu_cores', 'exposed_ports', 'memory']);
  assert.ok(problems.every(({ value, rule, message }) => value !== '' && rule !== '' && message.includes(rule)));
  assert.equal(parameters, undefined);
});

test('what only the guest should read is in no verdict, right or wrong', () => {
  const secret = 'hunter2';
  const right = on(native, {
    cloud_init_config: `#cloud-config\npassword: ${secret}`,
    ssh_public_key: `ssh-rsa AAAAB3NzaC1yc2E ${secret}`,
  });
  const wrong = on(native, { cloud_init_config: { secret }, ssh_public_key: `${secret}\n${secret}`, cpu_cores: -1 });
  for (const check of [right, wrong]) assert.ok(!JSON.stringify(check).includes(secret));
  assert.match(right.parameters?.cloud_init_config ?? '', /^\(\d+ bytes, not shown\)$/);
});

test('a template with a floating IP has the same parameters, and is left to AAP', () => {
  const { problems, warnings, parameters } = on('osac.massopencloud.ocp_virt_vm', { cpu_cores: 3 });
  assert.deepEqual([problems, parameters?.cpu_cores], [[], 3]);
  assert.match(warnings.join(), /floating IP: it is provisioned by AAP/);
});

test('of a template that is not built in only the form of the parameters is known', () => {
  const { problems, warnings, parameters } = on('acme.web', { colour: 'red' });
  assert.deepEqual([problems, parameters], [[], undefined]);
  assert.match(warnings.join(), /"acme.web" is not built in/);
  const torn = checkOrder({ templateID: 'acme.web', templateParameters: '{' }, lists);
  assert.deepEqual(
    torn.problems.map(({ field }) => field),
    ['templateParameters'],
  );
});

for (const templateID of ['', '1st', 'a b', 'a/b', '../x', 'a-b'])
  test(`the template id ${JSON.stringify(templateID)} is refused before anything else`, () => {
    const { problems } = on(templateID, { cpu_cores: 0 });
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['templateID'],
    );
  });
