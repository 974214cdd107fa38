/** Metrics of consoles: open ones, requested ones and transferred bytes. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConsoleKind } from '../../db/tenants/console-tickets.ts';

export interface ConsoleMetrics {
  opened(kind: ConsoleKind): void;
  closed(kind: ConsoleKind): void;
  refused(): void;
  moved(direction: 'in' | 'out', bytes: number): void;
}

export function consoleMetrics(registry: Registry): ConsoleMetrics {
  const registers = [registry];
  const open = new Gauge({
    name: 'ssvirt_api_consoles_open',
    help: 'Open consoles.',
    labelNames: ['kind'],
    registers,
  });
  const asked = new Counter({
    name: 'ssvirt_api_consoles_total',
    help: 'Requests to open a console, by result.',
    labelNames: ['outcome'],
    registers,
  });
  const bytes = new Counter({
    name: 'ssvirt_api_console_bytes_total',
    help: 'Bytes transferred through consoles: in, to the VMs; out, to the users.',
    labelNames: ['direction'],
    registers,
  });
  for (const kind of ['serial', 'vnc']) open.set({ kind }, 0);
  return {
    opened: (kind) => {
      open.inc({ kind });
      asked.inc({ outcome: 'opened' });
    },
    closed: (kind) => open.dec({ kind }),
    refused: () => asked.inc({ outcome: 'refused' }),
    moved: (direction, count) => bytes.inc({ direction }, count),
  };
}
