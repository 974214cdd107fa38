/**
 * The text of a watch event without the managedFields of its object: they are up to half of it, parsing is most of what an event costs, and those who
 * ask for this throw them away. Only what is surely metadata.managedFields of the event's object is cut; whatever looks different stays, and costs its
 * time. What is cut is not looked into.
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
  // One of the commas around it goes too.
  const behind = line[at - 1] === comma;
  const from = behind ? at - 1 : at;
  const to = !behind && line[end] === comma ? end + 1 : end;
  return line.toString('utf8', 0, from) + line.toString('utf8', to);
}

/** Whether what stands here is a key of `{"object":{"metadata":{`: a name inside a string has its quotes escaped, and one deeper is someone's data. */
function isInMetadata(line: Buffer, at: number): boolean {
  const opened: number[] = [];
  for (let index = 0; index < at; index++) {
    const byte = line[index];
    if (byte === quote) index = endOfString(line, index);
    else if (opens(byte)) opened.push(index);
    else if (closes(byte)) opened.pop();
    // A string that goes on beyond it: this is no key.
    if (index >= at) return false;
  }
  const [, object, metadata] = opened;
  if (opened.length !== 3 || object === undefined || metadata === undefined) return false;
  return endsWith(line, object, objectKey) && endsWith(line, metadata, metadataKey);
}

/** The index behind the value that is opened here; undefined where it does not end. */
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

/** The index of the quote that ends the string which begins here. */
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
