/** `0000:81:01.0`, as QEMU takes it. */
export const isPciAddress = (address: string): boolean =>
  /^[\da-fA-F]{4}:[\da-fA-F]{2}:[\da-fA-F]{2}\.[0-7]$/.test(address);
