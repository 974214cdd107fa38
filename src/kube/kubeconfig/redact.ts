/** What a plugin complains about, made fit for a log: one line, no control characters, nothing that looks like a secret. */

const TOKEN = /eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g;
/** Shorter ones are words such as `true`, and would blank out half of the text. */
const SHORTEST_SECRET = 8;

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  const plain = known.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
  return (
    plain
      .replaceAll(TOKEN, '[hidden]')
      .replaceAll(PRIVATE_KEY, '[hidden]')
      // Colours and the like, whole: what is left of them without their first letter would be noise.
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      .replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
  );
}
