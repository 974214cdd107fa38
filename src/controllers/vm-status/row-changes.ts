/** What others do to rows that matters here: a machine, a vApp or a VDC has come, changed or gone. */

export interface RowChangeHandlers {
  /** Rows of machines came or changed: where their VirtualMachines would be. */
  readonly machines: (
    machines: readonly { readonly cluster: string; readonly namespace: string; readonly name: string }[],
  ) => void;
  /** vApps came, changed or went: in which VDCs, or in all where it is not known. */
  readonly vapps: (vdcs?: readonly { readonly cluster: string; readonly namespace: string }[]) => void;
  /** Also once at the start, and whenever changes may have been missed. Where it fails it is called again. */
  readonly vdcs: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface RowChanges {
  /** Until the signal. */
  follow(handlers: RowChangeHandlers): Promise<void>;
}
