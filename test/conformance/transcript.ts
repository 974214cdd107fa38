/** What a case records: every answer and every batch of events, in the order in which the script received them. */
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';

export interface AnswerEntry extends JsonObject {
  request: string;
  status: number;
  headers?: { [name: string]: string };
  body?: Json;
}

export interface WatchEntry extends JsonObject {
  watch: string;
  status?: number;
  events?: Json[];
  /** Set when the script saw the stream end. */
  ended?: boolean;
}

export interface NoteEntry extends JsonObject {
  note: string;
  value: Json;
}

export type Entry = AnswerEntry | WatchEntry | NoteEntry;
export type Transcript = Entry[];
