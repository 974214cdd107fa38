/** `SentEvent` parses server-sent events from text that arrives in chunks. */
export interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export async function* sentEvents(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<SentEvent, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventIn(block);
      if (event !== undefined) yield event;
    }
  }
}

/** Comments keep the connection alive, and "retry" is for browsers: both are skipped. */
function eventIn(block: string): SentEvent | undefined {
  const lines = block.split('\n');
  const of = (field: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
  const data = of('data');
  return data.length === 0
    ? undefined
    : { id: of('id').at(-1) ?? '', event: of('event').at(-1) ?? '', data: data.join('\n') };
}
