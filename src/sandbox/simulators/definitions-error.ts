/** Why the folder of definitions cannot be used, for the person who named it. */
export class DefinitionsError extends Error {
  override readonly name = 'DefinitionsError';
}
