/** `ssvirt vm console` and `ssvirt vm vnc`: with console tickets of the API, without access to the cluster. */
import { Option, type Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { vms } from '../api/entity-kinds.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { withVdc } from '../verbs/get-verb.ts';
import { wholeNumber } from '../verbs/amounts.ts';

export function addConsoleVerbs(vm: Command): void {
  const serial = withVdc(
    withServer(
      vm
        .command('console')
        .description(
          'open the serial console; Ctrl-] leaves it. Standard input is sent to it, its output goes to standard output',
        )
        .argument('<NAME>', 'name or URN'),
    ),
  );
  withExamples(serial, ['ssvirt vm console web', 'printf "\\n" | ssvirt vm console web']);
  serial.action((name: string) =>
    ended(() =>
      asking(serial, async (client) => {
        const [{ named }, { openConsole }] = await Promise.all([import('../verbs/named.ts'), import('./console.ts')]);
        return openConsole(client, await named(client, vms, name, serial));
      }),
    ),
  );

  const screen = withVdc(
    withServer(
      vm
        .command('vnc')
        .description('open the screen to a VNC viewer on this machine, until Ctrl-C')
        .argument('<NAME>', 'name or URN')
        .addOption(
          new Option('--port <N>', 'the local port for the viewer; default: any free port')
            .argParser(wholeNumber)
            .default(0),
        )
        .option('--once', 'end when the first viewer disconnects'),
    ),
  );
  withExamples(withOutput(screen, ['table', 'json']), ['ssvirt vm vnc web', 'ssvirt vm vnc web --port 5901 --once']);
  screen.action((name: string) =>
    ended(() =>
      asking(screen, async (client) => {
        const [{ named }, { serveScreen }] = await Promise.all([import('../verbs/named.ts'), import('./screen.ts')]);
        const { port, once } = screen.opts<{ readonly port: number; readonly once?: boolean }>();
        const asJson = outputOf(screen) === 'json';
        return serveScreen(client, await named(client, vms, name, screen), { port, once: once === true, asJson });
      }),
    ),
  );
}
