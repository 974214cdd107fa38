/**
 * Resolves to the body of an answer of the typed client, as the OpenAPI document has it. `ApiClient` throws refusals, so
 * every answer has one, and only an answer without content (204) is undefined.
 */
export async function dataOf<T>(answer: Promise<{ readonly data?: T }>): Promise<T> {
  return (await answer).data as T;
}
