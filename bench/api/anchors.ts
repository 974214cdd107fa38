/**
 * Figures of the API server of the Go predecessor with 100 000 vApps and VMs, measured on another day on a similar host
 * (two cores, PostgreSQL with fsync). Its code is not in this repository, so it cannot be measured in the same run:
 * ratios to it are rough.
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
  // Far pages were not measured with 16 connections.
  far: { 1: { rate: 16, p99: 72 } },
  logIn: { 1: { rate: 16.5, p99: 73 }, 16: { rate: 31, p99: 919 } },
};

export function anchorOf(kind: Kind | undefined, connections: number): Anchor | undefined {
  return kind === undefined ? undefined : anchors[kind][connections];
}
