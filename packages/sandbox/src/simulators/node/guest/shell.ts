/** The output of commands in a simulated guest. */
import { textAt } from '../../../objects/kinds/values/fields.ts';
import type { JsonObject } from '../../../values/json.ts';

export interface Guest {
  readonly hostname: string;
  readonly os: JsonObject;
  readonly interfaces: readonly JsonObject[];
  /** Milliseconds since the start. */
  uptime(): number;
}

export type Ending = 'poweroff' | 'reboot' | 'exit';

export interface ShellOutput {
  readonly text: string;
  readonly ending?: Ending;
}

const help = `This is a pretend guest. It knows:
  help, hostname, whoami, uptime, uname, date, echo, ip addr, cat /etc/os-release, clear
  poweroff, reboot, exit
`;

export function run(line: string, user: string, guest: Guest): ShellOutput {
  const [command = '', ...rest] = line.trim().split(/\s+/);
  const name = command === 'sudo' ? (rest.shift() ?? '') : command;
  const text = (value: string): ShellOutput => ({ text: value });
  switch (name) {
    case '':
      return text('');
    case 'help':
      return text(help);
    case 'hostname':
      return text(`${guest.hostname}\n`);
    case 'whoami':
      return text(`${command === 'sudo' ? 'root' : user}\n`);
    case 'uptime':
      return text(uptime(guest.uptime()));
    case 'uname':
      return text(
        rest[0] === '-a'
          ? `${uname(guest)}\n`
          : rest[0] === '-r'
            ? `${textAt(guest.os, 'kernelRelease')}\n`
            : 'Linux\n',
      );
    case 'date':
      return text(`${new Date().toUTCString()}\n`);
    case 'echo':
      return text(`${rest.join(' ')}\n`);
    case 'ip':
      return text(rest[0]?.startsWith('a') === true ? ipAddr(guest) : 'Usage: ip addr\n');
    case 'cat':
      return text(
        rest[0] === '/etc/os-release' ? osRelease(guest.os) : `cat: ${rest[0] ?? ''}: No such file or directory\n`,
      );
    case 'ls':
      return text('');
    case 'clear':
      return text('\x1b[H\x1b[2J');
    case 'poweroff':
    case 'halt':
      return { text: '', ending: 'poweroff' };
    case 'shutdown':
      return { text: '', ending: rest.includes('-r') ? 'reboot' : 'poweroff' };
    case 'reboot':
      return { text: '', ending: 'reboot' };
    case 'exit':
    case 'logout':
      return { text: 'logout\n', ending: 'exit' };
    default:
      return text(`-bash: ${name}: command not found\n`);
  }
}

function uname({ hostname, os }: Guest): string {
  return `Linux ${hostname} ${textAt(os, 'kernelRelease')} ${textAt(os, 'kernelVersion')} ${textAt(os, 'machine')} GNU/Linux`;
}

function uptime(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const time = new Date().toISOString().slice(11, 19);
  const up = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  return ` ${time} up ${up},  1 user,  load average: 0.00, 0.01, 0.05\n`;
}

function ipAddr({ interfaces }: Guest): string {
  const own = interfaces.map((one, place) => {
    const name = textAt(one, 'interfaceName') || `enp${place + 1}s0`;
    const address = textAt(one, 'ipAddress');
    return [
      `${place + 2}: ${name}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc fq_codel state UP group default qlen 1000`,
      `    link/ether ${textAt(one, 'mac')} brd ff:ff:ff:ff:ff:ff`,
      ...(address === '' ? [] : [`    inet ${address}/24 brd + scope global dynamic ${name}`]),
    ].join('\n');
  });
  const loopback =
    '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n    inet 127.0.0.1/8 scope host lo';
  return `${[loopback, ...own].join('\n')}\n`;
}

function osRelease(os: JsonObject): string {
  return `NAME="${textAt(os, 'name')}"\nVERSION="${textAt(os, 'version')}"\nID=${textAt(os, 'id')}\nVERSION_ID="${textAt(os, 'versionId')}"\nPRETTY_NAME="${textAt(os, 'prettyName')}"\n`;
}
