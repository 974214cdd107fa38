/** `isPciAddress` matches `0000:81:01.0`, the form that QEMU accepts. */
export const isPciAddress = (address: string): boolean =>
  /^[\da-fA-F]{4}:[\da-fA-F]{2}:[\da-fA-F]{2}\.[0-7]$/.test(address);
