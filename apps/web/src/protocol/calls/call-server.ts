/** Worker side of the calls: answers each call when its result is ready, and sends a tick after changes. */
import type { Clock } from '@wirebench/clock';
import type { CallApi, CallFailure, CallMessage, Channel, FromWorker, ToWorker } from './call-protocol.ts';

/** Shortest time between two ticks, in milliseconds: a frame of the page. */
export const tickInterval = 16;

export type CallHandlers<Api extends CallApi<Api>> = {
  readonly [Name in keyof Api]: (
    ...args: Parameters<Api[Name]>
  ) => ReturnType<Api[Name]> | Promise<ReturnType<Api[Name]>>;
};

export interface CallServerParts<Api extends CallApi<Api>, Tick> {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly handlers: CallHandlers<Api>;
  /** Returns the current state. Called when the page is ready to receive it. */
  readonly tick: () => Tick;
  /** Shortest time from the last tick to the next, in milliseconds. Default: `tickInterval`. */
  readonly interval?: () => number;
  readonly failureOf: (error: unknown) => CallFailure;
}

export class CallServer<Api extends CallApi<Api>, Tick> {
  readonly #parts: CallServerParts<Api, Tick>;
  #changed = false;
  #tickUnderWay = false;
  #lastTickAt = Number.NEGATIVE_INFINITY;
  #tickScheduled = false;

  constructor(parts: CallServerParts<Api, Tick>) {
    this.#parts = parts;
    type Message = ToWorker<{ [Name in keyof Api]: CallMessage<Name, Parameters<Api[Name]>> }[keyof Api]>;
    parts.channel.addEventListener('message', ({ data }: MessageEvent<Message>) => void this.#take(data));
  }

  /** Requests a tick, because its content has changed. */
  change(): void {
    this.#changed = true;
    this.#scheduleTick();
  }

  async #take(message: ToWorker<CallMessage<keyof Api, Parameters<Api[keyof Api]>>>): Promise<void> {
    if ('tickTaken' in message) {
      this.#tickUnderWay = false;
      this.#scheduleTick();
      return;
    }
    const { id, call, args } = message;
    try {
      this.#post({ id, value: await this.#parts.handlers[call](...args) });
    } catch (error) {
      this.#post({ id, failure: this.#parts.failureOf(error) });
    }
  }

  /**
   * Sends at most one tick per frame, and waits for the page's acknowledgement of the last one. A busy page therefore
   * gets no backlog.
   */
  #scheduleTick(): void {
    if (!this.#changed || this.#tickUnderWay || this.#tickScheduled) {
      return;
    }
    const { clock, tick, interval } = this.#parts;
    const due = this.#lastTickAt + (interval?.() ?? tickInterval);
    this.#tickScheduled = true;
    clock.schedule(Math.max(0, due - clock.now()), () => {
      this.#tickScheduled = false;
      const current = tick();
      this.#changed = false;
      this.#tickUnderWay = true;
      this.#lastTickAt = clock.now();
      this.#post({ tick: current });
    });
  }

  #post(message: FromWorker<Tick>): void {
    this.#parts.channel.postMessage(message, []);
  }
}
