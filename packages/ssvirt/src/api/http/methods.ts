/** The methods that a path supports, for 405 instead of 404. */
import type { ServedRoute } from './app-types.ts';

export function methodsAt(served: readonly ServedRoute[], path: string): readonly string[] {
  const asked = partsOf(path);
  const methods = served.flatMap(({ route }) => {
    const [method = '', pattern = ''] = route.split(' ');
    return fits(partsOf(pattern), asked) ? [method] : [];
  });
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

function partsOf(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/');
}

function fits(pattern: readonly string[], asked: readonly string[]): boolean {
  return (
    pattern.length === asked.length &&
    pattern.every((part, at) => (part.startsWith(':') ? asked[at] !== '' : part === asked[at]))
  );
}
