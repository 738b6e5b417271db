/**
 * The page's end of a line to a host. Turns calls into messages and answers into promises, and hands each tick on. Knows no
 * call by name.
 */
import type { CallApi, CallFailure, CallMessage, Channel, FromHost, ToHost } from './call-protocol.ts';

/** What the host refused or could not do; the message is for people. */
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
  resolve(value: unknown): void;
  reject(error: CallError): void;
}

type Message = ToHost<CallMessage<PropertyKey, readonly unknown[]>>;

export class CallClient<Api extends CallApi<Api>, Tick> {
  #channel: Channel | null = null;
  #nextId = 1;
  readonly #waiting: Message[] = [];
  readonly #pending = new Map<number, PendingCall>();
  readonly #onTick: (tick: Tick) => void;

  constructor(onTick: (tick: Tick) => void) {
    this.#onTick = onTick;
  }

  /** Calls made before now are sent first, in order. */
  attach(channel: Channel): void {
    this.#channel = channel;
    channel.addEventListener('message', ({ data }: MessageEvent<FromHost<Tick>>) => this.#take(data));
    for (const message of this.#waiting.splice(0)) {
      channel.postMessage(message, []);
    }
  }

  call<Name extends keyof Api>(name: Name, ...args: Parameters<Api[Name]>): Promise<ReturnType<Api[Name]>> {
    const id = this.#nextId++;
    const answered = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#post({ id, call: name, args });
    return answered as Promise<ReturnType<Api[Name]>>;
  }

  #post(message: Message): void {
    if (this.#channel === null) {
      this.#waiting.push(message);
    } else {
      this.#channel.postMessage(message, []);
    }
  }

  #take(message: FromHost<Tick>): void {
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
