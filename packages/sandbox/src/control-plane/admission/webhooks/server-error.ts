/** The error text for an unsuccessful HTTP answer, in the words of Kubernetes' REST client. */
import { isObject, type Json } from '../../../values/json.ts';
import { textAt } from '../../../objects/kinds/values/fields.ts';

const FIXED: { readonly [status: number]: string } = {
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  415: 'the server was unable to understand the request body',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

export function serverError(status: number, text: string): string {
  const own = ownMessage(text);
  if (own !== undefined) return own;
  const fixed = FIXED[status];
  if (fixed !== undefined) return fixed;
  switch (status) {
    case 409:
      return 'the server reported a conflict';
    case 400:
      return 'the server rejected our request for an unknown reason';
    case 403:
      return text;
    case 405:
      return 'the server does not allow this method on the requested resource';
    case 422:
      return 'the server rejected our request due to an error in our request';
    default:
      return status >= 500
        ? `an error on the server (${JSON.stringify(text.trim())}) has prevented the request from succeeding`
        : `the server responded with the status code ${status} but did not return more information`;
  }
}

/** The message of a Status in the answer is quoted. */
function ownMessage(text: string): string | undefined {
  try {
    const answer = JSON.parse(text) as Json;
    if (isObject(answer) && answer['kind'] === 'Status' && textAt(answer, 'message') !== '')
      return textAt(answer, 'message');
  } catch {
    // Not JSON: the text follows from the status code.
  }
  return undefined;
}
