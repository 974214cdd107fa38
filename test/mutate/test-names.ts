/** Whether a file of tests has one of that name: by the name itself, or in a table; what stands in ${} of a name may be anything. */
export function hasTest(source: string, name: string): boolean {
  const names = [...source.matchAll(/\btest\(\s*(['"`])(.*?)(?<!\\)\1/gs)].map(([, , found = '']) => found);
  return source.includes(`'${name}'`) || names.some((one) => patternOf(one).test(name));
}

function patternOf(name: string): RegExp {
  const parts = name.split(/\$\{.*?\}/).map((part) => part.replaceAll(/[/\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`);
}
