/** The table row of an event: both of its APIs show the same values, from fields with different names. */
import type { Json, KubeObject } from '../../values/json.ts';
import type { CellWriter, CellWriters } from './cells.ts';
import { name, orElse } from './cells.ts';
import { at, numberAt, textAt } from './read.ts';

interface EventFields {
  readonly object: string;
  readonly message: string;
  readonly source: string;
  readonly first: string;
  readonly last: string;
  readonly count: string;
  readonly controller: string;
}

const core: EventFields = {
  object: 'involvedObject',
  message: 'message',
  source: 'source',
  first: 'firstTimestamp',
  last: 'lastTimestamp',
  count: 'count',
  controller: 'reportingComponent',
};

const events: EventFields = {
  object: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  first: 'deprecatedFirstTimestamp',
  last: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  controller: 'reportingController',
};

export const eventCells: CellWriters = { Event: writer(core), 'events.k8s.io/Event': writer(events) };

function writer(fields: EventFields): CellWriter {
  return (event, since) => {
    const series = at(event, 'series');
    const first = since(at(event, fields.first) ?? at(event, 'eventTime'));
    const last = at(event, fields.last) === undefined ? first : since(at(event, fields.last));
    // A single event of the newer API has no count.
    const count = series === undefined ? numberAt(event, fields.count) || 1 : numberAt(series, 'count');
    return [
      series === undefined ? last : since(at(series, 'lastObservedTime')),
      textAt(event, 'type'),
      textAt(event, 'reason'),
      target(at(event, fields.object)),
      textAt(event, fields.object, 'fieldPath'),
      source(event, fields),
      textAt(event, fields.message).trim(),
      first,
      count,
      name(event),
    ];
  };
}

function target(object: Json | undefined): string {
  const kind = textAt(object, 'kind').toLowerCase();
  return textAt(object, 'name') === '' ? kind : `${kind}/${textAt(object, 'name')}`;
}

function source(event: KubeObject, fields: EventFields): string {
  const component = orElse(textAt(event, fields.source, 'component'), textAt(event, fields.controller));
  const instance = orElse(textAt(event, fields.source, 'host'), textAt(event, 'reportingInstance'));
  return instance === '' ? component : `${component}, ${instance}`;
}
