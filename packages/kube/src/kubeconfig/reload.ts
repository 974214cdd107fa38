/**
 * Follows kubeconfig files that are rewritten at run time, as by k3s, cloud command lines and mounted Secrets. They are
 * reread when the server refuses, in the same context. A file that now points to another server is not followed,
 * because everything known is about the first one.
 */
import type { Logger } from 'pino';
import type { KubeconfigSource } from './source.ts';

export interface KubeconfigTexts {
  readonly texts: readonly string[];
  source(): KubeconfigSource;
}

export function reloadable(
  first: KubeconfigSource,
  texts: readonly string[],
  read: () => Promise<KubeconfigTexts>,
  log: Logger | undefined,
): KubeconfigSource {
  let source = first;
  let known = texts;

  async function reload(): Promise<void> {
    const next = await read();
    if (next.texts.length === known.length && next.texts.every((text, index) => text === known[index])) return;
    known = next.texts;
    const found = next.source();
    if (found.server === first.server) source = found;
    else log?.warn({ server: first.server, found: found.server }, 'kubeconfig changed its server, ignoring the change');
  }

  return {
    ...first,
    current: (signal) => source.current(signal),
    async refused(connection, signal) {
      const used = source;
      if (await used.refused(connection, signal)) return true;
      try {
        await reload();
      } catch (error) {
        // The file is half written or broken; what we have may become valid again.
        const reason = error instanceof Error ? error.message : String(error);
        log?.warn({ reason }, 'cannot reread kubeconfig, using the last known content');
      }
      return source !== used;
    },
  };
}
