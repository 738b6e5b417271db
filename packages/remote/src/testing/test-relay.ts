/**
 * A relay between a host and guests in one process, on a clock. It delays messages, loses connections and changes
 * frames as the test requests. It implements the description of the envelope independently of the product, and keeps
 * all messages.
 */
import type { Clock } from '@wirebench/clock';
import {
  closeCodes,
  decodeLive,
  encodeGone,
  encodeLive,
  encodeWelcome,
  everyone,
  leftReasons,
} from '@wirebench/contract/live';
import type { Dial, MessageLink } from '../message-link.ts';

/** Returns the messages to deliver instead of one message, in order. `late` adds a delay in milliseconds. */
export type Tamper = (
  message: Uint8Array,
  way: 'to host' | 'to guest',
) => readonly { readonly message: Uint8Array; readonly late?: number }[];

export interface TestRelayOptions {
  readonly clock: Clock;
  /** Returns the time from one side to the other, in milliseconds. */
  readonly delay?: () => number;
  readonly tamper?: Tamper;
  /** Time that guests wait for a lost host, in milliseconds. */
  readonly hostWait?: number;
  /** Time that a guest may be connected without being admitted, in milliseconds. Omitted: no limit. */
  readonly admission?: number;
}

class Socket implements MessageLink {
  onmessage: ((message: Uint8Array) => void) | null = null;
  onclose: ((code: number) => void) | null = null;
  number = -1;
  isOpen = true;
  readonly #toRelay: (message: Uint8Array) => void;
  readonly #onClose: () => void;

  constructor(toRelay: (message: Uint8Array, socket: Socket) => void, onClose: (socket: Socket) => void) {
    this.#toRelay = (message) => toRelay(message, this);
    this.#onClose = () => onClose(this);
  }

  send(message: Uint8Array): void {
    if (this.isOpen) {
      this.#toRelay(message.slice());
    }
  }

  close(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.#onClose();
    }
  }
}

export class TestRelay {
  /** Every message that passed, as the relay saw it. */
  readonly seen: Uint8Array[] = [];
  bytes = 0;
  /** True: keep `seen`. False for tests with very many messages. */
  keeps = true;
  /** True: no new connection is accepted. */
  isDown = false;
  readonly #options: TestRelayOptions;
  readonly #guests = new Map<number, Socket>();
  readonly #admitted = new Set<number>();
  /** Cancels the wait for admission, by the number of the guest. */
  readonly #waiting = new Map<number, () => void>();
  readonly #tokens = new Map<string, number>();
  #host: Socket | null = null;
  #last = 0;
  #isEnded = false;
  /** Deliveries that wait for a host whose tab is frozen; null while it is not frozen. */
  #frozen: (() => void)[] | null = null;
  /** Arrival time of the last message in each direction: a connection keeps its order. */
  readonly #arrivals = new Map<Socket, { toRelay: number; fromRelay: number }>();

  constructor(options: TestRelayOptions) {
    this.#options = options;
  }

  readonly dialHost: Dial = (resume) => {
    const socket = this.#socket();
    this.#soon(socket, () => {
      if (this.isDown || this.#isEnded) {
        this.#close(socket, this.#isEnded ? closeCodes.noSuchRoom : 1006);
        return;
      }
      socket.number = 0;
      this.#host = socket;
      this.#deliver(socket, encodeWelcome({ protocol: 1, you: 0, resume: 'host' }));
      if (resume !== null) {
        for (const [number, guest] of this.#guests) {
          this.#deliver(socket, encodeLive('joined', number));
          this.#deliver(guest, encodeLive('back', 0));
        }
      }
    });
    return socket;
  };

  readonly dialGuest: Dial = (resume) => {
    const socket = this.#socket();
    this.#soon(socket, () => {
      if (this.isDown || this.#isEnded || this.#host === null) {
        this.#close(socket, this.#isEnded ? closeCodes.noSuchRoom : 1006);
        return;
      }
      const number = (resume === null ? undefined : this.#tokens.get(resume)) ?? ++this.#last;
      const token = `guest ${number}`;
      this.#tokens.set(token, number);
      socket.number = number;
      this.#guests.set(number, socket);
      this.#deliver(socket, encodeWelcome({ protocol: 1, you: number, resume: token }));
      this.#deliver(this.#host, encodeLive('joined', number));
      this.#awaitAdmission(socket, token);
    });
    return socket;
  };

  /** Ends the guests' connections without a message, as in a tunnel. */
  cutGuests(): void {
    for (const socket of [...this.#guests.values()]) {
      this.#close(socket, 1006);
      this.#gone(socket);
    }
  }

  cutHost(): void {
    const host = this.#host;
    if (host !== null) {
      this.#close(host, 1006);
      this.#gone(host);
    }
  }

  /** Freezes the host's page while its connection stays. Messages wait and are delivered when the page is thawed. */
  freezeHost(): void {
    this.#frozen = [];
  }

  thawHost(): void {
    const waiting = this.#frozen ?? [];
    this.#frozen = null;
    for (const deliver of waiting) {
      deliver();
    }
  }

  /** Delivers bytes to the host as if guest `number` had sent them. */
  inject(number: number, payload: Uint8Array): void {
    if (this.#host !== null) {
      this.#deliver(this.#host, encodeLive('data', number, payload));
    }
  }

  get guestNumbers(): readonly number[] {
    return [...this.#guests.keys()];
  }

  #awaitAdmission(socket: Socket, token: string): void {
    const { clock, admission } = this.#options;
    this.#stopWaiting(socket.number);
    if (admission === undefined) {
      return;
    }
    this.#waiting.set(
      socket.number,
      clock.schedule(admission, () => {
        if (this.#host !== null) {
          this.#tokens.delete(token);
          this.#close(socket, closeCodes.notAdmitted);
          this.#gone(socket);
        }
      }),
    );
  }

  #stopWaiting(number: number): void {
    this.#waiting.get(number)?.();
    this.#waiting.delete(number);
  }

  #socket(): Socket {
    const socket = new Socket(
      (message, from) => this.#travel(message, from),
      (from) => this.#soon(from, () => this.#gone(from)),
    );
    this.#arrivals.set(socket, { toRelay: 0, fromRelay: 0 });
    return socket;
  }

  #soon(socket: Socket, work: () => void): void {
    this.#arrive(socket, 'toRelay', 0, work);
  }

  #arrive(socket: Socket, way: 'toRelay' | 'fromRelay', late: number, work: () => void): void {
    const { clock, delay = () => 0 } = this.#options;
    const arrivals = this.#arrivals.get(socket);
    if (arrivals === undefined) {
      return;
    }
    // Half of the delay lies between a side and the relay.
    const due = Math.max(arrivals[way], clock.now() + delay() / 2);
    if (late === 0) {
      arrivals[way] = due;
    }
    clock.schedule(due + late - clock.now(), work);
  }

  #travel(message: Uint8Array, from: Socket): void {
    this.#arrive(from, 'toRelay', 0, () => this.#receive(message, from));
  }

  #receive(message: Uint8Array, from: Socket): void {
    if (from.number === -1 || (from !== this.#host && this.#guests.get(from.number) !== from)) {
      return;
    }
    this.bytes += message.length;
    if (this.keeps) {
      this.seen.push(message);
    }
    const live = decodeLive(message);
    if (live === null) {
      throw new Error('A message that no relay knows.');
    }
    if (from !== this.#host) {
      if (live.kind !== 'data' || live.guest !== 0) {
        throw new Error(`A guest must not send ${live.kind}.`);
      }
      this.#pass(this.#host, encodeLive('data', from.number, live.payload), 'to host');
      return;
    }
    this.#fromHost(live, message);
  }

  #fromHost({ kind, guest, payload }: NonNullable<ReturnType<typeof decodeLive>>, message: Uint8Array): void {
    switch (kind) {
      case 'data':
        for (const number of guest === everyone ? this.#admitted : [guest]) {
          this.#pass(this.#guests.get(number) ?? null, encodeLive('data', 0, payload), 'to guest');
        }
        break;
      case 'admit':
        this.#admitted.add(guest);
        this.#stopWaiting(guest);
        break;
      case 'expel': {
        const socket = this.#guests.get(guest);
        if (socket !== undefined) {
          this.#close(socket, closeCodes.expelled);
          this.#gone(socket, leftReasons.expelled);
        }
        break;
      }
      case 'end':
        this.#isEnded = true;
        for (const number of [...this.#waiting.keys()]) {
          this.#stopWaiting(number);
        }
        for (const socket of this.#guests.values()) {
          this.#deliver(socket, message);
          this.#close(socket, closeCodes.ended);
        }
        break;
      default:
        throw new Error(`A host must not send ${kind}.`);
    }
  }

  #pass(to: Socket | null, message: Uint8Array, way: 'to host' | 'to guest'): void {
    if (to === null) {
      return;
    }
    const { tamper } = this.#options;
    for (const { message: one, late = 0 } of tamper?.(message, way) ?? [{ message }]) {
      this.#deliver(to, one, late);
    }
  }

  #deliver(to: Socket, message: Uint8Array, late = 0): void {
    const deliver = () => {
      if (to.isOpen) {
        to.onmessage?.(message);
      }
    };
    this.#arrive(to, 'fromRelay', late, () => {
      if (to === this.#host && this.#frozen !== null) {
        this.#frozen.push(deliver);
      } else {
        deliver();
      }
    });
  }

  #close(socket: Socket, code: number): void {
    this.#arrive(socket, 'fromRelay', 0, () => {
      if (socket.isOpen) {
        socket.isOpen = false;
        socket.onclose?.(code);
      }
    });
  }

  #gone(socket: Socket, reason: number = leftReasons.lost): void {
    if (socket === this.#host) {
      this.#host = null;
      for (const guest of this.#guests.values()) {
        this.#deliver(guest, encodeGone(this.#options.hostWait ?? 60_000));
      }
    } else if (this.#guests.get(socket.number) === socket) {
      this.#guests.delete(socket.number);
      this.#stopWaiting(socket.number);
      this.#admitted.delete(socket.number);
      if (this.#host !== null) {
        this.#deliver(this.#host, encodeLive('left', socket.number, Uint8Array.of(reason)));
      }
    }
  }
}
