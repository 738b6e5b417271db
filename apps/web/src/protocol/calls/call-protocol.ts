/**
 * Protocol between a page and another thread: calls with answers, and one small tick after each change. It is
 * independent of the calls and of the content of a tick. Everything here can be cloned between threads.
 */

/** The calls of a host, by name. Every call answers with a promise on the page's side. */
export type CallApi<Api> = { readonly [Name in keyof Api]: (...args: never[]) => unknown };

export interface CallFailure {
  readonly name: string;
  readonly message: string;
  /** Code for programs; null without one. */
  readonly code: string | null;
  /** Further facts. */
  readonly detail?: unknown;
}

export interface CallMessage<Name, Args> {
  readonly id: number;
  readonly call: Name;
  readonly args: Args;
}

/** From the page: a call, or word that the last tick was taken and the next may come. */
export type ToWorker<Call> = Call | { readonly tickTaken: true };

export type FromWorker<Tick> =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: CallFailure }
  | { readonly tick: Tick };

/** Either end of the line: a worker, the inside of one, or a message port. */
export interface Channel {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}
