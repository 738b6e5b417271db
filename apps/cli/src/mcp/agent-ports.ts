/** Ports that an agent may use, on one bench: opened, read by positions, awaited and written. */
import type { FamilyId } from '@wirebench/boards';
import { guessFamily } from '@wirebench/boards/guess-family';
import type { Clock } from '@wirebench/clock';
import type { UsbDevices } from '@wirebench/flasher/family';
import { describePortSettings, type SerialPorts } from '@wirebench/port';
import {
  type AnswerPattern,
  type AskedSecret,
  Bench,
  type ByteFeed,
  type PortNumber,
  portNumbers,
  RateWatch,
  rateSignText,
  SessionError,
} from '@wirebench/serial';
import { type GivenPort, holdersText, presentPort, serialOf } from '../given-ports.ts';
import type { GivenSettings } from '../port-options.ts';
import { quoted, RequestRefused } from './allowance.ts';

/** Bytes kept of each port, so that positions stay readable. */
const RING_BYTES = 16 * 1_024 * 1_024;
/** Most bytes that are passed to a search at a time. */
const PIECE = 65_536;

/** A port by its name. */
export interface AgentPort {
  readonly number: PortNumber;
  readonly given: GivenPort;
  readonly serial: SerialPorts;
  readonly isDemo: boolean;
  /** Returns the port with its settings; null while it is not there. */
  find(settings: GivenSettings['native']): Promise<SerialPort | null>;
  /** Returns the family of the board by the IDs of its port or its model; null if they do not tell it. */
  family(port: SerialPort): FamilyId | null;
  /** Bus of a simulated board whose bootloader is a USB device. */
  readonly usb?: UsbDevices;
}

/** Bytes of a port between two positions. */
export interface ReadBytes {
  readonly from: number;
  readonly to: number;
  /** Number of bytes after the asked position that are no longer held. */
  readonly lost: number;
  readonly bytes: Uint8Array;
}

export type WaitOutcome = ReadBytes & { readonly kind: 'found' | 'not-yet' | 'closed' | 'cancelled' };

export interface AgentPortsOptions {
  readonly clock: Clock;
  readonly ports: readonly GivenPort[];
  /** Model in place of ports of the system; null without one. */
  readonly simulate: string | null;
}

export class AgentPorts {
  readonly #clock: Clock;
  readonly #bench: Bench;
  readonly #ports: readonly AgentPort[];
  readonly #feeds: ReadonlyMap<PortNumber, ByteFeed>;
  readonly #rates = new Map<PortNumber, RateWatch>();
  /** Settings of ports that were opened. */
  readonly #settings = new Map<PortNumber, GivenSettings>();
  readonly #watching = new AbortController();

  private constructor(clock: Clock, ports: readonly AgentPort[]) {
    this.#clock = clock;
    this.#ports = ports;
    this.#bench = new Bench({
      clock,
      ringBytes: RING_BYTES,
      onReceived: (port, bytes, at) => {
        const rate = this.#rates.get(port) ?? new RateWatch();
        this.#rates.set(port, rate);
        rate.received(bytes, at);
      },
    });
    this.#feeds = new Map(ports.map(({ number }) => [number, this.#bench.byteFeed(number)]));
  }

  /** @throws CommandError for an unknown model. */
  static async create({ clock, ports, simulate }: AgentPortsOptions): Promise<AgentPorts> {
    const serial = serialOf(ports);
    const own = ports.map(
      (given, index): AgentPort => ({
        number: portNumbers[index] ?? 1,
        given,
        serial,
        isDemo: false,
        find: (native) => presentPort(serial, given, native),
        family: (port) => guessFamily(port.getInfo(), ''),
      }),
    );
    if (simulate !== null) {
      const { simulatedPort } = await import('../simulated-boards.ts');
      const { port, serial: simulated, family, usb } = await simulatedPort(simulate);
      own.push({
        number: portNumbers[own.length] ?? 1,
        given: { name: simulate, path: simulate, label: simulate },
        serial: simulated,
        isDemo: true,
        find: async () => port,
        family: () => family,
        ...(usb !== undefined && { usb }),
      });
    }
    const agentPorts = new AgentPorts(clock, own);
    if (ports.length > 0) {
      serial.addEventListener('connect', (event) => agentPorts.#bench.deviceAppeared(event.target as SerialPort));
      void serial.watch(clock, agentPorts.#watching.signal);
    }
    return agentPorts;
  }

  get all(): readonly AgentPort[] {
    return this.#ports;
  }

  /** @throws RequestRefused for a port that is not allowed. */
  named(name: string): AgentPort {
    const port = this.#ports.find(({ given: { path, label } }) => name === path || name === label);
    if (port === undefined) {
      const names = this.#ports.map(({ given }) => given.label).join(', ');
      throw new RequestRefused(
        `Not allowed: the port ${quoted(name)}. Allowed are: ${names === '' ? 'none' : names}. ` +
          'The person who started wirebench allows a port with --allow port=NAME.',
      );
    }
    return port;
  }

  /** Returns what the board on a port asks for; null for nothing, and for a port that is not allowed. */
  askedSecret(name: string): AskedSecret | null {
    const port = this.#ports.find(({ given: { path, label } }) => name === path || name === label);
    return port === undefined ? null : (this.#bench.status().ports[port.number].asks?.secret ?? null);
  }

  isOpen({ number }: AgentPort): boolean {
    return this.#bench.status().ports[number].state === 'connected';
  }

  /** Returns the state of a port in words, without a full stop. */
  stateText(port: AgentPort): string {
    const { state, settings, notBack } = this.#bench.status().ports[port.number];
    const sign = this.#rates.get(port.number)?.sign ?? null;
    switch (state) {
      case 'connected':
        return settings === null
          ? 'open'
          : `open at ${describePortSettings(settings)}${sign === null ? '' : `. ${rateSignText(sign, settings)}`}`;
      case 'reconnecting':
        return 'the board was unplugged, and the port is opened again when it comes back';
      case 'connecting':
        return 'is being opened';
      case 'disconnecting':
        return 'is being closed';
      case 'disconnected':
        return notBack ? 'closed, because the board was unplugged' : 'closed';
    }
  }

  /** Position behind the newest byte. */
  end(port: AgentPort): number {
    return this.#feed(port).end;
  }

  /**
   * Opens a port. One that is open with the same settings stays so.
   *
   * @throws RequestRefused for a port that is not there.
   * @throws PortFailure for one that cannot be opened.
   */
  async open(port: AgentPort, settings: GivenSettings): Promise<void> {
    const { number, given } = port;
    const status = this.#bench.status().ports[number];
    if (status.state === 'connected') {
      if (JSON.stringify(this.#settings.get(number)) === JSON.stringify(settings)) {
        return;
      }
      await this.#bench.disconnect(number);
    }
    const device = await port.find(settings.native);
    if (device === null) {
      throw new RequestRefused(`${given.label} is not there. list_ports lists the ports that are.`);
    }
    this.#rates.delete(number);
    try {
      await this.#bench.connect(number, device, settings.settings);
      this.#settings.set(number, settings);
    } catch (error) {
      if (error instanceof SessionError) {
        const holders = error.code === 'busy' ? await holdersText(given) : '';
        throw new PortFailure(`${error.message}${holders}`, { cause: error });
      }
      throw error;
    }
  }

  /** Closes a port; one that is closed stays so. */
  async close({ number }: AgentPort): Promise<void> {
    if (this.#bench.status().ports[number].state !== 'disconnected') {
      await this.#bench.disconnect(number);
    }
  }

  /**
   * Closes ports, works with their boards, and opens those again that were open.
   *
   * @param act Opens and closes the ports itself.
   */
  async lend<Result>(ports: readonly AgentPort[], act: () => Promise<Result>): Promise<Result> {
    const [port, ...others] = ports;
    if (port === undefined) {
      return act();
    }
    const wasOpen = this.isOpen(port);
    const settings = this.#settings.get(port.number);
    await this.close(port);
    try {
      return await this.lend(others, act);
    } finally {
      if (wasOpen && settings !== undefined && !this.#watching.signal.aborted) {
        // The state of the port says that it is closed.
        await this.open(port, settings).catch(() => undefined);
      }
    }
  }

  /**
   * Returns the bytes from a position on.
   *
   * @param since Null: all that is held.
   * @throws RequestRefused for a position behind the newest byte.
   */
  read(port: AgentPort, since: number | null): ReadBytes {
    return this.#between(port, since ?? this.#feed(port).start, this.end(port));
  }

  /**
   * Waits for a pattern in the bytes from a position on.
   *
   * @param since Null: the newest byte.
   * @throws RequestRefused for a position behind the newest byte.
   */
  async wait(
    port: AgentPort,
    pattern: AnswerPattern,
    { since, timeout, signal }: { since: number | null; timeout: number; signal: AbortSignal },
  ): Promise<WaitOutcome> {
    const { from, lost, bytes: earlier } = this.#between(port, since ?? this.end(port), this.end(port));
    const talk = this.#bench.converse(port.number);
    try {
      const asked = talk.exchange({ bytes: null, answers: [pattern], fresh: true, timeout }, signal);
      // The search runs from here on, so that a match may begin before this moment and end after it.
      for (let at = 0; at < earlier.length; at += PIECE) {
        talk.received(earlier.subarray(at, at + PIECE), this.#clock.wallTime());
      }
      const outcome = await asked;
      if (outcome.kind === 'answered') {
        return { kind: 'found', ...this.#between(port, from, from + outcome.taken), lost };
      }
      const kind = outcome.kind === 'cancelled' || outcome.kind === 'closed' ? outcome.kind : 'not-yet';
      return { kind, ...this.#between(port, from, this.end(port)), lost };
    } finally {
      talk.end();
    }
  }

  /** Sends bytes. Returns the position before them. Rejects with a SessionError. */
  async send(port: AgentPort, bytes: Uint8Array, signal: AbortSignal): Promise<number> {
    const before = this.end(port);
    const stop = () => this.#bench.stopSending(port.number);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#bench.send(port.number, bytes);
    } finally {
      signal.removeEventListener('abort', stop);
    }
    return before;
  }

  /**
   * Restarts the board by its control lines. Rejects with a SessionError.
   *
   * @returns Position at which the output of its program begins. `wasHeld` is false if the reset did not silence the board.
   */
  async reset(port: AgentPort, signal: AbortSignal): Promise<{ readonly from: number; readonly wasHeld: boolean }> {
    let from = this.end(port);
    let wasHeld = true;
    const released = (isSilent: boolean) => {
      from = this.end(port);
      wasHeld = isSilent;
    };
    await this.#bench.jobs.resetBoard(port.number, 'run', { signal, released });
    return { from, wasHeld };
  }

  /** Closes all ports. */
  async dispose(): Promise<void> {
    this.#watching.abort();
    await this.#bench.dispose();
  }

  #feed({ number }: AgentPort): ByteFeed {
    return this.#feeds.get(number) ?? this.#bench.byteFeed(number);
  }

  #between(port: AgentPort, since: number, to: number): ReadBytes {
    const feed = this.#feed(port);
    if (since > feed.end) {
      throw new RequestRefused(
        `There is no mark ${since} of ${port.given.label} yet: the newest is ${feed.end}. Marks count received bytes.`,
      );
    }
    const from = Math.max(since, feed.start);
    const end = Math.max(from, to);
    return { from, to: end, lost: from - since, bytes: feed.read(from, end - from) };
  }
}

/** Returns the end of a sentence about a mark, with the argument that takes it. */
export const sinceText = (mark: number): string => `${mark}: read or wait since ${mark}.`;

/** A failure of a port, whose words may have parts of the system's. */
export class PortFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PortFailure';
  }
}
