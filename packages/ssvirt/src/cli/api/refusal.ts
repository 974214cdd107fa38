import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

/** `Refusal` is a refusal by the API, in its own words. */
export class Refusal extends CliFailure {
  readonly status: number;
  /** The minorErrorCode, for programs. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message, exitOf(status));
    this.status = status;
    this.code = code;
  }

  /** The same refusal for who typed a command with these flags. */
  async inFlags(flags: ReadonlySet<string>): Promise<Refusal> {
    const { inFlags } = await import('./field-flags.ts');
    return new Refusal(this.status, this.code, inFlags(this.message, flags));
  }
}

function exitOf(status: number): ExitCode {
  return status === 503 || status === 429 ? exitCodes.unavailable : exitCodes.failed;
}

export function refusalOf(status: number, text: string): Refusal {
  const { minorErrorCode, message } = (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
  const said =
    typeof message === 'string' && message !== '' ? message : `the server answered ${status} without a message.`;
  return new Refusal(status, typeof minorErrorCode === 'string' ? minorErrorCode : '', said);
}

/** A proxy on the way may answer with something other than JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
