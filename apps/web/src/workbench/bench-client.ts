/**
 * The page's end of the bench. Turns calls into messages and answers into promises, and hands each tick on. Knows no port,
 * no row and no component.
 */
import type { BenchApi, BenchTick, CallFailure, CallName, Channel, FromBench, ToBench } from './bench-protocol.ts';

/** What the bench refused or could not do; the message is for people. */
export class BenchCallError extends Error {
  readonly code: string | null;

  constructor({ name, message, code }: CallFailure) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: BenchCallError): void;
}

export class BenchClient {
  #channel: Channel | null = null;
  #nextId = 1;
  readonly #waiting: ToBench[] = [];
  readonly #pending = new Map<number, PendingCall>();
  readonly #onTick: (tick: BenchTick) => void;

  constructor(onTick: (tick: BenchTick) => void) {
    this.#onTick = onTick;
  }

  /** Calls made before now are sent first, in order. */
  attach(channel: Channel): void {
    this.#channel = channel;
    channel.addEventListener('message', ({ data }: MessageEvent<FromBench>) => this.#take(data));
    for (const message of this.#waiting.splice(0)) {
      channel.postMessage(message, []);
    }
  }

  call<Name extends CallName>(name: Name, ...args: Parameters<BenchApi[Name]>): Promise<ReturnType<BenchApi[Name]>> {
    const id = this.#nextId++;
    const answered = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#post({ id, call: name, args });
    return answered as Promise<ReturnType<BenchApi[Name]>>;
  }

  #post(message: ToBench): void {
    if (this.#channel === null) {
      this.#waiting.push(message);
    } else {
      this.#channel.postMessage(message, []);
    }
  }

  #take(message: FromBench): void {
    if ('tick' in message) {
      this.#post({ tickTaken: true });
      this.#onTick(message.tick);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('failure' in message) {
      pending?.reject(new BenchCallError(message.failure));
    } else {
      pending?.resolve(message.value);
    }
  }
}
