/** `Notification` is what a handler is notified of. */

export type Notification<P> =
  | { readonly type: 'added'; readonly object: P; readonly initial: boolean }
  | { readonly type: 'updated'; readonly before: P; readonly after: P; readonly resync: boolean }
  | { readonly type: 'deleted'; readonly object: P; readonly finalStateUnknown: boolean };
