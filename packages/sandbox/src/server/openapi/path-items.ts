/** Groups operations by path. Parameters that all operations of a path share are written once, at the path. */
import type { JsonObject } from '../../values/json.ts';
import type { Parameter } from './parameters.ts';
import type { Route } from './routes.ts';

export function pathItems(
  routes: readonly Route[],
  operation: (route: Route, parameters: JsonObject[]) => JsonObject,
  parameter: (parameter: Parameter) => JsonObject,
): JsonObject {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const paths = [...byPath.keys()].toSorted();
  return Object.fromEntries(paths.map((path) => [path, pathItem(byPath.get(path) ?? [], operation, parameter)]));
}

function pathItem(
  routes: readonly Route[],
  operation: (route: Route, parameters: JsonObject[]) => JsonObject,
  parameter: (parameter: Parameter) => JsonObject,
): JsonObject {
  const takes = (route: Route, name: string): boolean => route.parameters.some((candidate) => candidate.name === name);
  const shared = (name: string): boolean => routes.every((route) => takes(route, name));
  const item: JsonObject = {};
  for (const route of routes) {
    item[route.method] = operation(route, route.parameters.filter(({ name }) => !shared(name)).map(parameter));
  }
  item['parameters'] = (routes[0]?.parameters ?? []).filter(({ name }) => shared(name)).map(parameter);
  return item;
}
