/**
 * Keeps a connection to the relay. It reconnects after each loss, until the relay closes with a final code. It reads
 * envelopes only, never their content.
 */
import type { Clock } from '@wirebench/clock';
import {
  closeCodes,
  decodeGone,
  decodeLive,
  decodeWelcome,
  encodeLive,
  type LiveKind,
  type LiveMessage,
} from '@wirebench/contract/live';
import type { Limits } from './limits.ts';
import type { Dial, MessageLink } from './message-link.ts';
import type { RemoteFailure } from './remote-failure.ts';

/** Close codes after which reconnecting is pointless. */
const finalCodes: Readonly<Record<number, RemoteFailure | undefined>> = {
  [closeCodes.notAllowed]: 'not-allowed',
  [closeCodes.expelled]: 'expelled',
  [closeCodes.noSuchRoom]: 'no-such-room',
  [closeCodes.ended]: 'ended',
  [closeCodes.replaced]: 'replaced',
  [closeCodes.tooMany]: 'too-many',
};

interface RelayEvents {
  /** Called after the relay's welcome. Messages can be sent from now on. */
  readonly up: () => void;
  /** Called when the connection is lost, after `up`. A retry follows. */
  readonly down: () => void;
  /** The host's connection to the relay is away, for at most `wait` milliseconds, or restored (null). */
  readonly hostAway?: (wait: number | null) => void;
  /** Receives any other envelope. The payload must be copied to be kept. */
  readonly message: (message: LiveMessage) => void;
  /** Called once, not after `close`. */
  readonly ended: (why: RemoteFailure) => void;
}

interface RelayLinkOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly dial: Dial;
  /** Returns a random number from 0 to 1. It spreads the retries of guests that were cut together. */
  readonly random: () => number;
}

export class RelayLink {
  readonly #options: RelayLinkOptions;
  readonly #events: RelayEvents;
  #link: MessageLink | null = null;
  #resume: string | null = null;
  #isUp = false;
  #downSince: number | null = null;
  #isOver = false;
  #tries = 0;
  #cancel: (() => void) | null = null;

  constructor(options: RelayLinkOptions, events: RelayEvents) {
    this.#options = options;
    this.#events = events;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Time of the loss of a connection that was up, in milliseconds since the Unix epoch, else null. */
  get downSince(): number | null {
    return this.#downSince;
  }

  /** Bytes that wait to leave. */
  get buffered(): number {
    return this.#link?.buffered ?? 0;
  }

  start(): void {
    const { clock, limits, dial } = this.#options;
    const link = dial(this.#resume);
    this.#link = link;
    link.onmessage = (bytes) => {
      if (link === this.#link) {
        this.#take(bytes);
      }
    };
    link.onclose = (code) => {
      if (link === this.#link) {
        this.#lose(code);
      }
    };
    this.#cancel = clock.schedule(limits.greeting, () => this.drop());
  }

  /** Sends an envelope. Dropped while there is no connection. */
  send(kind: LiveKind, guest: number, payload?: Uint8Array): void {
    if (this.#isUp) {
      this.#link?.send(encodeLive(kind, guest, payload));
    }
  }

  /** Drops this connection and tries another one. */
  drop(): void {
    const link = this.#link;
    if (link !== null && !this.#isOver) {
      this.#lose(0);
      link.close();
    }
  }

  /** Resets the retry pause: the connection has proved to work. */
  settle(): void {
    this.#tries = 0;
  }

  close(): void {
    this.#isOver = true;
    this.#isUp = false;
    this.#downSince = null;
    this.#cancel?.();
    this.#link?.close();
    this.#link = null;
  }

  #take(bytes: Uint8Array): void {
    const message = decodeLive(bytes);
    // The relay's messages are not trusted. A relay whose envelopes cannot be decoded is useless, so another
    // connection is tried.
    if (message === null) {
      this.drop();
      return;
    }
    switch (message.kind) {
      case 'welcome':
        this.#welcome(message.payload);
        break;
      case 'gone':
        this.#events.hostAway?.(decodeGone(message.payload) ?? 0);
        break;
      case 'back':
        this.#events.hostAway?.(null);
        break;
      case 'end':
        this.#end('ended');
        break;
      default:
        if (this.#isUp) {
          this.#events.message(message);
        }
    }
  }

  #welcome(payload: Uint8Array): void {
    const welcome = decodeWelcome(payload);
    if (welcome === null) {
      this.#end('wrong-version');
    } else if (!this.#isUp) {
      this.#cancel?.();
      this.#resume = welcome.resume;
      this.#isUp = true;
      this.#downSince = null;
      this.#events.up();
    }
  }

  #lose(code: number): void {
    const why = finalCodes[code];
    if (why !== undefined) {
      this.#end(why);
      return;
    }
    this.#cancel?.();
    this.#link = null;
    const wasUp = this.#isUp;
    this.#isUp = false;
    const { clock, limits, random } = this.#options;
    const pause = Math.min(limits.retry * 2 ** this.#tries++, limits.retryMost);
    this.#cancel = clock.schedule(pause * (0.5 + random() / 2), () => this.start());
    if (wasUp) {
      this.#downSince = clock.wallTime();
      this.#events.down();
    }
  }

  #end(why: RemoteFailure): void {
    this.close();
    this.#events.ended(why);
  }
}
