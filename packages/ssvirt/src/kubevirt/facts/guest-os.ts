/** The guest's operating system as its agent reports it. */
import { fields, text } from './reading.ts';

export function guestOsOf(info: unknown): string | undefined {
  const { prettyName, name, version, id } = fields(info);
  const [called, release] = [text(name, 64), text(version, 60)];
  const versioned = called !== undefined && release !== undefined ? `${called} ${release}` : undefined;
  return text(prettyName, 128) ?? versioned ?? called ?? text(id, 64);
}
