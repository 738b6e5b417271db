/**
 * Page side of the calls to a worker. Turns calls into messages and answers into promises, and passes each tick on.
 * It is independent of the names of the calls.
 */
import type { CallApi, CallFailure, CallMessage, Channel, FromWorker, ToWorker } from './call-protocol.ts';

/** Failure of a call that the worker refused or could not complete. The message is shown to the user. */
export class CallError extends Error {
  readonly code: string | null;
  readonly detail: unknown;

  constructor({ name, message, code, detail }: CallFailure) {
    super(message);
    this.name = name;
    this.code = code;
    this.detail = detail;
  }
}

interface PendingCall {
  readonly name: PropertyKey;
  readonly promise: Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: CallError): void;
}

type Message = ToWorker<CallMessage<PropertyKey, readonly unknown[]>>;

/** Failures of all calls after the worker has ended. */
export interface WorkerLoss<Name> {
  /** Returns the failure of a call that had no answer when the worker ended. */
  readonly pending: (call: Name) => CallFailure;
  /** Returns the failure of a call that is made after the worker's end. */
  readonly later: (call: Name) => CallFailure;
}

export class CallClient<Api extends CallApi<Api>, Tick> {
  #loss: WorkerLoss<keyof Api> | null = null;
  #channel: Channel | null = null;
  #nextId = 1;
  readonly #waiting: Message[] = [];
  readonly #pending = new Map<number, PendingCall>();
  readonly #onTick: (tick: Tick) => void;

  constructor(onTick: (tick: Tick) => void) {
    this.#onTick = onTick;
  }

  /** Connects to the worker. Earlier calls are sent first, in order. */
  attach(channel: Channel): void {
    this.#channel = channel;
    channel.addEventListener('message', ({ data }: MessageEvent<FromWorker<Tick>>) => this.#take(data));
    for (const message of this.#waiting.splice(0)) {
      channel.postMessage(message, []);
    }
  }

  /** Rejects all pending and later calls, because the worker has ended. */
  lose(loss: WorkerLoss<keyof Api>): void {
    if (this.#loss !== null) {
      return;
    }
    this.#loss = loss;
    this.#waiting.length = 0;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { name, promise, reject } of pending) {
      void handled(promise);
      reject(new CallError(loss.pending(name as keyof Api)));
    }
  }

  call<Name extends keyof Api>(name: Name, ...args: Parameters<Api[Name]>): Promise<ReturnType<Api[Name]>> {
    if (this.#loss !== null) {
      return handled(Promise.reject(new CallError(this.#loss.later(name))));
    }
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { name, promise, resolve, reject });
    this.#post({ id, call: name, args });
    return promise as Promise<ReturnType<Api[Name]>>;
  }

  #post(message: Message): void {
    if (this.#channel === null) {
      this.#waiting.push(message);
    } else {
      this.#channel.postMessage(message, []);
    }
  }

  #take(message: FromWorker<Tick>): void {
    if ('tick' in message) {
      this.#post({ tickTaken: true });
      this.#onTick(message.tick);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('failure' in message) {
      pending?.reject(new CallError(message.failure));
    } else {
      pending?.resolve(message.value);
    }
  }
}

/**
 * Marks the rejection as handled. A caller that awaits the call still receives it, and the loss itself is reported
 * elsewhere.
 */
function handled<Result>(call: Promise<Result>): Promise<Result> {
  call.catch(() => undefined);
  return call;
}
