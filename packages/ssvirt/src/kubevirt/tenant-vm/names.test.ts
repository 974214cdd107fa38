import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { diskNameProblem } from './disk-names.ts';
import { dataVolumeName, hostNameFor, instanceName, machineName, parameterSecretName, secretNames } from './names.ts';

const id = '9A1C44DE-1111-4222-8333-444455556666';

suite('the name of a machine in its cluster', () => {
  const cases: readonly (readonly [reason: string, name: string, expected: string])[] = [
    ['a plain name is kept', 'web-01', 'web-01-9a1c44de'],
    ['case, spaces and signs become one dash', ' Web & Shop_1 ', 'web-shop-1-9a1c44de'],
    ['letters of other scripts go', 'Облако', 'vm-9a1c44de'],
    ['nothing leaves the word', '', 'vm-9a1c44de'],
    ['a digit may come first', '3proxy', '3proxy-9a1c44de'],
    ['a long one is cut', 'x'.repeat(300), `${'x'.repeat(54)}-9a1c44de`],
    ['a dash where it is cut goes', `${'x'.repeat(53)} y`, `${'x'.repeat(53)}-9a1c44de`],
  ];
  for (const [reason, name, expected] of cases)
    test(reason, () => {
      assert.equal(machineName(name, id), expected);
      assert.match(machineName(name, id), /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
    });

  test('is that of no other machine of the same name', () => {
    assert.notEqual(machineName('web', id), machineName('web', id.replace('9', '8')));
  });

  test('is not the host name of its guest, which is the name of the VM', () => {
    for (const [name, expected] of [
      ['web-01', 'web-01'],
      [' Web & Shop_1 ', 'web-shop-1'],
      ['Облако', ''],
      ['x'.repeat(300), 'x'.repeat(63)],
    ] as const)
      assert.equal(hostNameFor(name), expected);
  });

  test('gives its Secrets and disks their names', () => {
    assert.deepEqual(secretNames('web-9a1c44de'), { cloudInit: 'web-9a1c44de-cloudinit', ssh: 'web-9a1c44de-ssh' });
    assert.equal(dataVolumeName('web-9a1c44de', 'data'), 'web-9a1c44de-data');
  });

  test('of a TemplateInstance comes from its vApp', () => {
    const name = instanceName({ vappName: 'Web shop', vappId: id });
    assert.equal(name, 'web-shop-9a1c44de');
    assert.equal(parameterSecretName(name), 'web-shop-9a1c44de-parameters');
    assert.equal(instanceName({ vappName: '…', vappId: id }), 'vapp-9a1c44de');
  });
});

suite('the name of a disk', () => {
  const cases: readonly (readonly [name: string, problem: RegExp | undefined])[] = [
    ['data', undefined],
    ['d', undefined],
    ['0-9', undefined],
    ['x'.repeat(63), undefined],
    ['x'.repeat(64), /at most 63/],
    ['', /at most 63/],
    ['Data', /lowercase letters/],
    ['data.1', /lowercase letters/],
    ['-data', /no dash at either end/],
    ['data-', /no dash at either end/],
    ['data\n', /lowercase letters/],
    ['rootdisk', /"rootdisk" is reserved/],
    ['cloudinitdisk', /"cloudinitdisk" is reserved/],
    ['logs', /has a disk "logs" already/],
  ];
  for (const [name, problem] of cases)
    test(`${JSON.stringify(name)} is ${problem === undefined ? 'free' : 'refused'}`, () => {
      const told = diskNameProblem(name, ['logs']);
      if (problem === undefined) assert.equal(told, undefined);
      else assert.match(told ?? '', problem);
    });
});
