/** Sizes in bytes in the format of Kubernetes quantities: `1048576`, `512k`, `64Mi`, `1.5Gi`. */
const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

const form = /^(\d+(?:\.\d+)?)(k|M|G|T|P|Ki|Mi|Gi|Ti|Pi|)$/;

/** Returns the size in bytes, or undefined if the text is not a size or not a whole number of bytes. */
export function parseSize(text: string): number | undefined {
  const [, number = '', unit = ''] = form.exec(text) ?? [];
  const bytes = number === '' ? NaN : Number(number) * (unitBytes[unit] ?? NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Uses the largest binary unit that divides the size, as people write it. */
export function formatSize(bytes: number): string {
  const units = ['Pi', 'Ti', 'Gi', 'Mi', 'Ki'];
  const unit = bytes === 0 ? undefined : units.find((name) => bytes % (unitBytes[name] ?? NaN) === 0);
  return unit === undefined ? String(bytes) : `${bytes / (unitBytes[unit] ?? NaN)}${unit}`;
}
