/**
 * Compares the answer to a call with the recorded one: the code of each, and for callers other than agents the text of
 * a refusal.
 */
import type { Json, JsonObject } from '../../../packages/sandbox/src/values/json.ts';
import { isObject, jsonEqual } from '../../../packages/sandbox/src/values/json.ts';
import type { HttpAnswer } from '../../conformance/http.ts';
import { progressOf } from '../acting.ts';
import type { Placeholders } from './placeholders.ts';
import type { RecordedCall } from '../transcripts.ts';

export function answerDifferences(call: RecordedCall, answer: HttpAnswer, placeholders: Placeholders): string[] {
  const { response } = call;
  const told = `${call.method} ${call.path}`;
  if (answer.status !== response.code) {
    const says = shorten(answer.body);
    return [
      `${told} answered ${answer.status}, recorded is ${response.code}\n      answered: ${says}\n      recorded: ${shorten(response.body)}`,
    ];
  }
  if (!['user', 'admin'].includes(call.user)) return [];
  const differences = [
    difference('warning', placeholders.unbind(answer.headers['warning'] ?? ''), response.warning ?? ''),
  ];
  if (call.method === 'GET')
    differences.push(difference('progress', progressOf(answer.body), progressOf(response.body)));
  if (response.code >= 400) {
    const live = unbound(answer.body, placeholders);
    for (const field of ['reason', 'message', 'details'])
      differences.push(
        difference(field, withoutAddresses(fieldOf(live, field)), withoutAddresses(fieldOf(response.body, field))),
      );
    if (typeof response.body === 'string') differences.push(difference('text', live, response.body));
  }
  return differences.flatMap((text) => (text === undefined ? [] : [`${told}: ${text}`]));
}

function difference(what: string, live: Json | undefined, recorded: Json | undefined): string | undefined {
  if (jsonEqual(live, recorded)) return undefined;
  return `${what} differs\n      answered: ${shorten(live)}\n      recorded: ${shorten(recorded)}`;
}

function fieldOf(body: Json | undefined, field: string): Json | undefined {
  return isObject(body) ? body[field] : undefined;
}

function unbound(value: Json | undefined, placeholders: Placeholders): Json | undefined {
  return value === undefined ? undefined : (JSON.parse(placeholders.unbind(JSON.stringify(value))) as JsonObject);
}

/** virt-api is behind a Service in the recording, and behind a loopback URL here. */
function withoutAddresses(value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value)
    .replaceAll(/https:\/\/[^/]+\//g, 'https://<virt-api>/')
    .replaceAll(/dial tcp \S+: connect/g, 'dial tcp <virt-api>: connect');
  return JSON.parse(text) as Json;
}

function shorten(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? '(nothing)';
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
