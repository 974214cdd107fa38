/** The simulated guests with open connections: each with its sessions, until the VMI ends. */
import type { Duplex } from 'node:stream';
import { textAt } from '../../../objects/kinds/values/fields.ts';
import type { VirtualMachineInstance } from '../../kubevirt/objects.ts';
import { guestOs } from '../domain/guest-os.ts';
import { since } from '../domain/step.ts';
import { accountsOf, userData } from './accounts.ts';
import { createLine } from './line.ts';
import { png } from './png.ts';
import { port } from './ports.ts';
import { Rfb } from './rfb.ts';
import { draw, HEIGHT, WIDTH } from './screen.ts';
import type { Guest } from './shell.ts';
import { Terminal } from './terminal.ts';

interface Session {
  restart?(): void;
  end(): void;
}

/** Within this time after its start, a guest still prints its boot messages. */
const BOOTING_MS = 15_000;
const LONGEST_TYPED = 40;
const ENTER = 0xff0d;
const BACKSPACE = 0xff08;

export interface GuestsOptions {
  /** The latest version of the VMI. */
  current(vmi: VirtualMachineInstance): VirtualMachineInstance;
  powerOff(vmi: VirtualMachineInstance): void;
}

export class Guests {
  readonly #options: GuestsOptions;
  readonly #sessions = new Map<string, Set<Session>>();
  /** What was typed on a screen, while a session shows it. */
  readonly #typed = new Map<string, string>();

  constructor(options: GuestsOptions) {
    this.#options = options;
  }

  console(vmi: VirtualMachineInstance): Duplex {
    const guest = this.#guest(vmi);
    const line = createLine((bytes) => terminal.receive(bytes));
    const user = textAt(guest.os, 'id') || 'user';
    const terminal = new Terminal({
      guest,
      accounts: accountsOf(userData(vmi), user),
      send: (text) => line.send(text),
      ended: (how) => {
        if (how === 'poweroff') this.#options.powerOff(vmi);
      },
    });
    this.#keep(vmi, line.stream, { restart: () => terminal.restart(), end: () => line.end() });
    terminal.open(guest.uptime() < BOOTING_MS);
    return line.stream;
  }

  vnc(vmi: VirtualMachineInstance): Duplex {
    const uid = vmi.metadata.uid ?? '';
    const line = createLine((bytes) => rfb.receive(bytes));
    const rfb: Rfb = new Rfb({
      name: `${vmi.metadata.namespace ?? ''}/${vmi.metadata.name ?? ''}`,
      width: WIDTH,
      height: HEIGHT,
      picture: () => this.#picture(vmi),
      key: (symbol) => {
        this.#typed.set(uid, typedAfter(this.#typed.get(uid) ?? '', symbol));
        rfb.changed();
      },
      send: (bytes) => line.send(bytes),
      fail: () => line.end(),
    });
    this.#keep(vmi, line.stream, { restart: () => rfb.changed(), end: () => line.end() });
    return line.stream;
  }

  port(vmi: VirtualMachineInstance, number: number): Duplex {
    const line = createLine((bytes) => answering.receive(bytes));
    const answering = port(number, {
      hostname: this.#guest(vmi).hostname,
      send: (bytes) => line.send(bytes),
      end: () => line.end(),
    });
    this.#keep(vmi, line.stream, { end: () => line.end() });
    return line.stream;
  }

  screenshot(vmi: VirtualMachineInstance): Buffer {
    return png(this.#picture(vmi), WIDTH, HEIGHT);
  }

  restart(uid: string): void {
    for (const session of this.#sessions.get(uid) ?? []) session.restart?.();
  }

  end(uid: string): void {
    for (const session of this.#sessions.get(uid) ?? []) session.end();
    this.#sessions.delete(uid);
    this.#typed.delete(uid);
  }

  #keep(vmi: VirtualMachineInstance, stream: Duplex, session: Session): void {
    const uid = vmi.metadata.uid ?? '';
    const sessions = this.#sessions.get(uid) ?? new Set();
    this.#sessions.set(uid, sessions.add(session));
    stream.once('close', () => {
      sessions.delete(session);
      if (sessions.size === 0 && this.#sessions.get(uid) === sessions) {
        this.#sessions.delete(uid);
        this.#typed.delete(uid);
      }
    });
  }

  #guest(vmi: VirtualMachineInstance): Guest {
    const options = this.#options;
    const started = Date.parse(since(vmi, 'Running') ?? '');
    return {
      hostname: hostnameOf(vmi),
      os: guestOs(vmi),
      get interfaces() {
        return options.current(vmi).status?.interfaces ?? [];
      },
      uptime: () => (Number.isNaN(started) ? 0 : Date.now() - started),
    };
  }

  #picture(vmi: VirtualMachineInstance): Uint8Array {
    const now = this.#options.current(vmi);
    const first = now.status?.interfaces?.[0];
    const paused = now.status?.conditions?.some(({ type }) => type === 'Paused') === true;
    return draw({
      name: hostnameOf(vmi),
      lines: [
        textAt(guestOs(vmi), 'prettyName'),
        textAt(first, 'ipAddress'),
        `node ${now.status?.nodeName ?? ''}${paused ? '  (paused)' : ''}`,
      ],
      typed: this.#typed.get(vmi.metadata.uid ?? '') ?? '',
    });
  }
}

export function hostnameOf({ spec, metadata }: VirtualMachineInstance): string {
  return spec.hostname ?? (metadata.name ?? '').split('.')[0] ?? '';
}

function typedAfter(typed: string, symbol: number): string {
  if (symbol === ENTER) return '';
  if (symbol === BACKSPACE) return typed.slice(0, -1);
  return symbol >= 0x20 && symbol < 0x7f ? (typed + String.fromCharCode(symbol)).slice(-LONGEST_TYPED) : typed;
}
