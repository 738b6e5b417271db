/**
 * Protocol between a page and a worker: calls with answers, and one small tick after each change. It is independent
 * of the calls and of the content of a tick. All values can be cloned between threads.
 */

/** The calls of a worker, by name. On the page's side every call returns a promise. */
export type CallApi<Api> = { readonly [Name in keyof Api]: (...args: never[]) => unknown };

export interface CallFailure {
  readonly name: string;
  readonly message: string;
  /** Code for programs; null without one. */
  readonly code: string | null;
  /** Further facts about the failure. */
  readonly detail?: unknown;
}

export interface CallMessage<Name, Args> {
  readonly id: number;
  readonly call: Name;
  readonly args: Args;
}

/** Messages of the page: a call, or the acknowledgement of the last tick, which allows the next one. */
export type ToWorker<Call> = Call | { readonly tickTaken: true };

export type FromWorker<Tick> =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: CallFailure }
  | { readonly tick: Tick };

/** Either end of the connection: a worker as seen by the page, the scope inside of a worker, or a message port. */
export interface Channel {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}
