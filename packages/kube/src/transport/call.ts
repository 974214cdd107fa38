/** A request and an answer of the transport. */

export type Query = Readonly<Record<string, string | undefined>>;
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  /** Already serialized, so that it can be sent again as it is. */
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  /** The text after "cannot" in errors: `get pods "a/b"`. */
  readonly doing: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /**
   * Called right before each attempt, and again right before its first byte is written. If it throws, the call fails
   * with that error.
   */
  readonly beforeSend?: () => void;
}

export interface Answer {
  readonly code: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** `target` returns the path with its query; undefined and empty parameters are left out. */
export function target(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  const text = parameters.toString();
  if (text === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
