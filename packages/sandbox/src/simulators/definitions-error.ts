/** Why the folder of definitions cannot be used, for the user. */
export class DefinitionsError extends Error {
  override readonly name = 'DefinitionsError';
}
