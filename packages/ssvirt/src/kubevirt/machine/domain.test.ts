import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { resolvedOf } from './cases.fixture.ts';
import { resolveSpec } from './resolve.ts';
import type { DomainSpec } from './resource.ts';

suite('hardware in KubeVirt’s words', () => {
  const bootloader = (efi?: boolean, secureBoot?: boolean): DomainSpec => ({
    firmware: {
      bootloader: defined({ efi, secureBoot }),
    },
  });
  const efi = (secureBoot: boolean): object => ({ firmware: { bootloader: { efi: { secureBoot } } } });
  const smm = { features: { smm: { enabled: true } } };
  const cases: readonly (readonly [why: string, spec: DomainSpec, domain: object])[] = [
    ['nothing is said', {}, {}],
    ['pc-q35 is the newest q35', { machine: { type: 'pc-q35' } }, { machine: { type: 'q35' } }],
    ['q35', { machine: { type: 'q35' } }, { machine: { type: 'q35' } }],
    ['a version is kept', { machine: { type: 'pc-q35-rhel9.2.0' } }, { machine: { type: 'pc-q35-rhel9.2.0' } }],
    ['that of ARM', { machine: { type: 'virt' } }, { machine: { type: 'virt' } }],
    ['ACPI is on', { features: { acpi: true } }, { features: { acpi: { enabled: true } } }],
    [
      'features are off',
      { features: { acpi: false, apic: false, hyperv: false } },
      { features: { acpi: { enabled: false }, apic: { enabled: false } } },
    ],
    ['EFI is without secure boot by default', bootloader(true), efi(false)],
    ['EFI without secure boot', bootloader(true, false), efi(false)],
    ['secure boot needs SMM', bootloader(true, true), { ...smm, ...efi(true) }],
    ['secure boot is EFI', bootloader(undefined, true), { ...smm, ...efi(true) }],
    ['no EFI is BIOS', bootloader(false), { firmware: { bootloader: { bios: {} } } }],
    ['no secure boot says nothing of EFI', bootloader(undefined, false), {}],
  ];
  for (const [why, spec, domain] of cases)
    test(why, () => assert.deepEqual(resolvedOf({ template: 'small', domain: spec }).domain, domain));

  test('Hyper-V is a set of features, with a clock', () => {
    const { features, clock } = resolvedOf({ template: 'small', domain: { features: { hyperv: true } } }).domain;
    const { hyperv } = features as { readonly hyperv: object };
    assert.deepEqual(Object.keys(hyperv).toSorted(), [
      'frequencies',
      'ipi',
      'relaxed',
      'reset',
      'runtime',
      'spinlocks',
      'synic',
      'synictimer',
      'tlbflush',
      'vapic',
      'vpindex',
    ]);
    assert.ok(clock !== undefined);
  });

  const wrong: readonly (readonly [spec: DomainSpec, says: RegExp])[] = [
    [{ machine: { type: 'pc-i440fx' } }, /unless an administrator of the cluster allows it/],
    [{ machine: { type: 'pc-i440fx-2.12' } }, /Use "pc-q35"/],
    [{ machine: { type: 'pc' } }, /Use "pc-q35"/],
    [{ machine: { type: 'q36' } }, /"q36", which KubeVirt does not know/],
    [bootloader(false, true), /secure boot is a part of EFI/],
  ];
  for (const [domain, says] of wrong)
    test(`${JSON.stringify(domain)} is refused`, () => {
      const resolution = resolveSpec({ template: 'small', domain });
      assert.ok('problem' in resolution);
      assert.equal(resolution.problem.reason, 'InvalidSpec');
      assert.match(resolution.problem.message, says);
    });
});
