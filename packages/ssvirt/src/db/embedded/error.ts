/** PostgreSQL could not be started or stopped here. The message is for the person who started it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
