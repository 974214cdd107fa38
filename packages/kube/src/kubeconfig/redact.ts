/** Makes a plugin's error output fit for a log: one line, no control characters, no secrets. */

const TOKEN = /eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g;
/** Shorter values are words such as `true`, and would blank out half of the text. */
const SHORTEST_SECRET = 8;

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  const plain = known.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
  return (
    plain
      .replaceAll(TOKEN, '[hidden]')
      .replaceAll(PRIVATE_KEY, '[hidden]')
      // Removes color sequences completely: without the escape character the rest would be noise.
      // oxlint-disable-next-line no-control-regex -- the expression matches control characters
      .replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
  );
}
