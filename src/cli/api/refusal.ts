import { exitCodes, type ExitCode } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

/** What the API has refused, in its own words. */
export class Refusal extends CliFailure {
  readonly status: number;
  /** The minorErrorCode, by which programs go. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message, exitOf(status));
    this.status = status;
    this.code = code;
  }
}

function exitOf(status: number): ExitCode {
  return status === 503 || status === 429 ? exitCodes.unavailable : exitCodes.failed;
}

export function refusalOf(status: number, text: string): Refusal {
  const { minorErrorCode, message } = (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
  const said =
    typeof message === 'string' && message !== '' ? message : `the server answers ${status}, and does not say why.`;
  return new Refusal(status, typeof minorErrorCode === 'string' ? minorErrorCode : '', said);
}

/** Whatever stands between may answer with something else than JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
