/**
 * Returns the text of a watch event without its object's managedFields. They are up to half of the text, and parsing is
 * most of the cost of an event. Only what is certainly metadata.managedFields of the event's object is cut; anything
 * else stays and is parsed. The cut part is not validated.
 */

const name = Buffer.from('"managedFields":[');
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const objectKey = Buffer.from('"object":');
const metadataKey = Buffer.from('"metadata":');

export function withoutManagedFieldsText(line: Buffer): string {
  const at = line.indexOf(name);
  if (at < 0 || !isInMetadata(line, at)) return line.toString('utf8');
  const end = endOfValue(line, at + name.length - 1);
  if (end === undefined) return line.toString('utf8');
  // One of the surrounding commas is cut too.
  const behind = line[at - 1] === comma;
  const from = behind ? at - 1 : at;
  const to = !behind && line[end] === comma ? end + 1 : end;
  return line.toString('utf8', 0, from) + line.toString('utf8', to);
}

/**
 * Whether the match is a key of `{"object":{"metadata":{`: inside a string its quotes would be escaped, and a deeper
 * one is user data.
 */
function isInMetadata(line: Buffer, at: number): boolean {
  const opened: number[] = [];
  for (let index = 0; index < at; index++) {
    const byte = line[index];
    if (byte === quote) index = endOfString(line, index);
    else if (opens(byte)) opened.push(index);
    else if (closes(byte)) opened.pop();
    // The string continues beyond the match, so the match is not a key.
    if (index >= at) return false;
  }
  const [, object, metadata] = opened;
  if (opened.length !== 3 || object === undefined || metadata === undefined) return false;
  return endsWith(line, object, objectKey) && endsWith(line, metadata, metadataKey);
}

/** The index after the value that opens here; undefined if it does not end. */
function endOfValue(line: Buffer, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < line.length; index++) {
    const byte = line[index];
    if (byte === quote) index = endOfString(line, index);
    else if (opens(byte)) depth++;
    else if (closes(byte) && --depth === 0) return index + 1;
  }
  return undefined;
}

/** The index of the quote that ends the string that starts here. */
function endOfString(line: Buffer, start: number): number {
  let index = start + 1;
  while (index < line.length && line[index] !== quote) index += line[index] === backslash ? 2 : 1;
  return index;
}

function endsWith(line: Buffer, end: number, text: Buffer): boolean {
  return end >= text.length && line.compare(text, 0, text.length, end - text.length, end) === 0;
}

const opens = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number | undefined): boolean => byte === 0x7d || byte === 0x5d;
