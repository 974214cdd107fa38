/** The order of API versions: v2, v1, v1beta2, v1beta1, v1alpha1, then everything else by name. */

const kubeVersion = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stages = ['alpha', 'beta', undefined];

/** Negative when `a` comes first, that is, when `a` is the more mature version. */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const left = rank(a);
  const right = rank(b);
  if (left === undefined || right === undefined) {
    if (left === right) return a < b ? -1 : 1;
    return left === undefined ? 1 : -1;
  }
  const difference = left.findIndex((part, i) => part !== right[i]);
  return difference < 0 ? 0 : (right[difference] ?? 0) - (left[difference] ?? 0);
}

function rank(version: string): [stage: number, major: number, minor: number] | undefined {
  const match = kubeVersion.exec(version);
  return match === null ? undefined : [stages.indexOf(match[2]), Number(match[1]), Number(match[3] ?? 0)];
}
