/**
 * What the Go ancestor's API server did with 100 000 vApps and virtual machines, on another day on a machine like this (two cores, PostgreSQL with fsync).
 * Its code is not here, so that it cannot be measured in the same run: the ratios to it are rough.
 */
export interface Anchor {
  readonly rate: number;
  /** Milliseconds. */
  readonly p99: number;
}

type Kind = 'get' | 'list' | 'far' | 'logIn';

const anchors: Readonly<Record<Kind, Readonly<Record<number, Anchor>>>> = {
  get: { 1: { rate: 958, p99: 3.4 }, 16: { rate: 1780, p99: 50 } },
  list: { 1: { rate: 31, p99: 39 }, 16: { rate: 51, p99: 453 } },
  // With 16 connections it was not measured on far pages.
  far: { 1: { rate: 16, p99: 72 } },
  logIn: { 1: { rate: 16.5, p99: 73 }, 16: { rate: 31, p99: 919 } },
};

export function anchorOf(kind: Kind | undefined, connections: number): Anchor | undefined {
  return kind === undefined ? undefined : anchors[kind][connections];
}
