import { CliFailure } from '../output/failure.ts';
import { exitCodes } from '../output/exit-code.ts';

/**
 * Returns the normalized server address, without a trailing slash. Requests carry tokens, so plain HTTP is accepted
 * only for loopback addresses.
 */
export function serverUrl(text: string): string {
  const url = URL.parse(text) ?? URL.parse(`https://${text}`);
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.hostname === '')
    throw new CliFailure(`"${text}" is not a server address: write it as https://cloud.example.org.`, exitCodes.usage);
  if (url.username !== '' || url.password !== '')
    throw new CliFailure('the server address must not contain a user or a password.', exitCodes.usage);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new CliFailure(
      `${url.origin} is not encrypted, so others could read your tokens: use https.`,
      exitCodes.usage,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
