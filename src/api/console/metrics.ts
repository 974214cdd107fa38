/** How many consoles are open, how many were asked for, and what went through them. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConsoleKind } from '../../db/console-tickets.ts';

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
    help: 'Consoles that are open.',
    labelNames: ['kind'],
    registers,
  });
  const asked = new Counter({
    name: 'ssvirt_api_consoles_total',
    help: 'Consoles that somebody came for, and what came of it.',
    labelNames: ['outcome'],
    registers,
  });
  const bytes = new Counter({
    name: 'ssvirt_api_console_bytes_total',
    help: 'What went through consoles: in, to the machines, and out, to who looks at them.',
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
