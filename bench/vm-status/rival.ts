/** The controller on Go's controller-runtime, built from bench/go-vm-status if Go is installed. */
import { join } from 'node:path';
import { buildGo, type Rival } from '../runtime/rival.ts';

export function buildRival(): Promise<Rival> {
  return buildGo('bench-go-vm-status', join(import.meta.dirname, '../go-vm-status'));
}
