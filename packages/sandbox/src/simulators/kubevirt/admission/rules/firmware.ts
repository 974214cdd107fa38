/** Firmware: serial number, ACPI tables, boot loader, kernel. */
import { isObject, type JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, required, type Cause } from '../cause.ts';
import { domainOf, isOn } from './amounts.ts';
import { pathCauses } from './absolute-path.ts';

const MAX_SERIAL = 256;
export const isPlainText = (text: string): boolean => /^[A-Za-z0-9_.+-]+$/.test(text);

export function serialCauses(field: string, spec: JsonObject): Cause[] {
  const at = `${field}.domain.firmware.serial`;
  const serial = textAt(objectAt(domainOf(spec), 'firmware'), 'serial');
  const causes: Cause[] = [];
  if (serial === '') return causes;
  if (Buffer.byteLength(serial) > MAX_SERIAL)
    causes.push(invalid(`${at} must be less than or equal to ${MAX_SERIAL} in length, if specified`, at));
  if (!isPlainText(serial))
    causes.push(invalid(`${at} must be made up of the following characters [A-Za-z0-9_.+-], if specified`, at));
  return causes;
}

export function acpiCauses(field: string, spec: JsonObject): Cause[] {
  const acpi = objectAt(objectAt(domainOf(spec), 'firmware'), 'acpi');
  if (acpi === undefined) return [];
  const at = `${field}.acpi`;
  const references = ['slicNameRef', 'msdmNameRef'].filter((name) => textAt(acpi, name) !== '');
  if (references.length === 0) return [invalid('ACPI was set but no SLIC nor MSDM volume reference was set', at)];
  return references.flatMap((name) => {
    const volume = listAt(spec, 'volumes').find((one) => textAt(one, 'name') === textAt(acpi, name));
    if (volume === undefined) return [invalid(`${at} does not have a matching Volume.`, `${at}.${name}`)];
    return isSet(volume, 'secret') ? [] : [invalid(`${at} refers to Volume of unsupported type.`, `${at}.${name}`)];
  });
}

/** @param field The path of the domain. */
export function firmwareCauses(field: string, domain: JsonObject): Cause[] {
  const firmware = objectAt(domain, 'firmware');
  const bootloader = objectAt(firmware, 'bootloader');
  const causes: Cause[] = [];
  const at = `${field}.firmware.bootloader`;
  if (isSet(bootloader, 'efi') && isSet(bootloader, 'bios'))
    causes.push(invalid(`${at} has both EFI and BIOS configured, but they are mutually exclusive.`, at));
  causes.push(...kernelCauses(`${field}.firmware.kernelBoot`, objectAt(firmware, 'kernelBoot')));
  if (hasSecureBoot(domain) && !isOn(objectAt(domain, 'features')?.['smm']))
    causes.push(
      invalid(`${field} has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.`, field),
    );
  return causes;
}

export function hasSecureBoot(domain: JsonObject): boolean {
  const efi = objectAt(objectAt(domain, 'firmware'), 'bootloader')?.['efi'];
  return isObject(efi) && efi['secureBoot'] !== false;
}

function kernelCauses(field: string, boot: JsonObject | undefined): Cause[] {
  if (boot === undefined) return [];
  const container = objectAt(boot, 'container');
  if (container === undefined) {
    const args = textAt(boot, 'kernelArgs') !== '';
    return args
      ? [invalid('kernel arguments cannot be provided without an external kernel', `${field}.kernelArgs`)]
      : [];
  }
  const at = `${field}.container`;
  const causes: Cause[] = [];
  const [kernel, initrd] = [textAt(container, 'kernelPath'), textAt(container, 'initrdPath')];
  if (textAt(container, 'image') === '') causes.push(required(`${at} must be defined with an image`, `${at}.image`));
  if (kernel === '' && initrd === '')
    causes.push(required(`${at} must be defined with at least one of the following: kernelPath, initrdPath`, at));
  if (kernel !== '') causes.push(...pathCauses(`${at}.kernelPath`, kernel));
  if (initrd !== '') causes.push(...pathCauses(`${at}.initrdPath`, initrd));
  return causes;
}
