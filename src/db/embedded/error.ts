/** PostgreSQL could not be started or stopped here; the message is for the person who started it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
