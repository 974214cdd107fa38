/**
 * Times as Go parses and formats them: `time.Parse` with the two layouts that Kubernetes uses, and their canonical
 * text.
 */

export interface TimeLayout {
  readonly text: string;
  /** The required number of fraction digits; 0 allows any number and drops them. */
  readonly fraction: number;
  /**
   * Matches texts that are canonical and obviously valid (no February 29, no year 1): they need no step-by-step
   * parsing.
   */
  readonly common: RegExp;
}

const day = '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)';
const second = `[12]\\d{3}-${day}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d`;

export const TIME: TimeLayout = {
  text: '2006-01-02T15:04:05Z07:00',
  fraction: 0,
  common: new RegExp(`^${second}Z$`),
};
export const MICRO_TIME: TimeLayout = {
  text: '2006-01-02T15:04:05.000000Z07:00',
  fraction: 6,
  common: new RegExp(`^${second}\\.\\d{6}Z$`),
};

/** The text is not a time; the message is that of Go's `time.ParseError`. */
export class TimeError extends Error {}

/** `readTime` returns the canonical text of the time in `value`; undefined for Go's zero time, which is encoded as null. */
export function readTime(value: string, layout: TimeLayout): string | undefined {
  return layout.common.test(value) ? value : new TimeReader(value, layout).read();
}

interface Step {
  readonly layout: string;
  readonly name: string;
  readonly digits: 2 | 4;
  /** Go accepts a single digit for `15`. */
  readonly short?: boolean;
  readonly min: number;
  readonly max: number;
}

const STEPS: readonly (Step | string)[] = [
  { layout: '2006', name: 'year', digits: 4, min: 0, max: 9999 },
  '-',
  { layout: '01', name: 'month', digits: 2, min: 1, max: 12 },
  '-',
  { layout: '02', name: 'day', digits: 2, min: 0, max: 99 },
  'T',
  { layout: '15', name: 'hour', digits: 2, short: true, min: 0, max: 23 },
  ':',
  { layout: '04', name: 'minute', digits: 2, min: 0, max: 59 },
  ':',
  { layout: '05', name: 'second', digits: 2, min: 0, max: 59 },
];

class TimeReader {
  private readonly whole: string;
  private readonly layout: TimeLayout;
  private rest: string;

  constructor(value: string, layout: TimeLayout) {
    this.whole = value;
    this.rest = value;
    this.layout = layout;
  }

  read(): string | undefined {
    const parts: number[] = [];
    for (const step of STEPS) {
      if (typeof step === 'string') this.literal(step);
      else parts.push(this.number(step));
    }
    const fraction = this.fraction();
    const offset = this.zone();
    if (this.rest !== '') throw this.problem(`: extra text: ${quote(this.rest)}`);
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    if (day < 1 || date.getUTCDate() !== day) throw this.problem(': day out of range');
    date.setUTCHours(hour, minute - offset, second);
    const text = date.toISOString().slice(0, 19);
    const isZero = text === '0001-01-01T00:00:00' && /^0*$/.test(fraction);
    return isZero ? undefined : `${text}${this.layout.fraction === 0 ? '' : `.${fraction}`}Z`;
  }

  private literal(text: string): void {
    if (!this.rest.startsWith(text)) throw this.mismatch(text);
    this.rest = this.rest.slice(text.length);
  }

  private number(step: Step): number {
    const pattern = step.digits === 4 ? /^\d{4}/ : step.short === true ? /^\d\d?/ : /^\d\d/;
    const digits = pattern.exec(this.rest)?.[0];
    if (digits === undefined) throw this.mismatch(step.layout);
    this.rest = this.rest.slice(digits.length);
    const value = Number(digits);
    if (value < step.min || value > step.max) throw this.problem(`: ${step.name} out of range`);
    return value;
  }

  private fraction(): string {
    const wanted = this.layout.fraction;
    const digits = (wanted === 0 ? /^[.,]\d+/ : /^[.,]\d{6}/).exec(this.rest)?.[0];
    if (digits === undefined && wanted > 0) throw this.mismatch(`.${'0'.repeat(wanted)}`);
    this.rest = this.rest.slice(digits?.length ?? 0);
    return digits?.slice(1) ?? '';
  }

  /** The offset from UTC in minutes. */
  private zone(): number {
    if (this.rest.startsWith('Z')) {
      this.rest = this.rest.slice(1);
      return 0;
    }
    const match = /^([+-])(\d\d):(\d\d)/.exec(this.rest);
    if (match === null) throw this.mismatch('Z07:00');
    const hours = Number(match[2]);
    const minutes = Number(match[3]);
    if (hours > 24) throw this.problem(': time zone offset hour out of range');
    if (minutes > 60) throw this.problem(': time zone offset minute out of range');
    this.rest = this.rest.slice(match[0].length);
    return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
  }

  private problem(what: string): TimeError {
    return new TimeError(`parsing time ${quote(this.whole)}${what}`);
  }

  private mismatch(wanted: string): TimeError {
    return this.problem(` as "${this.layout.text}": cannot parse ${quote(this.rest)} as "${wanted}"`);
  }
}

/** The time package quotes in its own way: every byte that is not printable ASCII becomes two hexadecimal digits. */
const quote = (text: string): string =>
  `"${text
    .replace(/["\\]/g, '\\$&')
    .replace(/[^ -\x7f]/gu, (char) => [...Buffer.from(char)].map((byte) => `\\x${hex(byte)}`).join(''))}"`;

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
