import { CliFailure } from '../output/failure.ts';
import { exitCodes } from '../output/exit-code.ts';

/** The address of a server as it is kept: without a slash at the end. Tokens go over the wire, so beside HTTPS only this machine itself is spoken to. */
export function serverUrl(text: string): string {
  const url = URL.parse(text) ?? URL.parse(`https://${text}`);
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.hostname === '')
    throw new CliFailure(
      `"${text}" is no address of a server: write it as https://cloud.example.org.`,
      exitCodes.usage,
    );
  if (url.username !== '' || url.password !== '')
    throw new CliFailure('the address of a server has neither a user nor a password in it.', exitCodes.usage);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new CliFailure(
      `${url.origin} is asked without encryption, and whoever is between could read your tokens: use https.`,
      exitCodes.usage,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
