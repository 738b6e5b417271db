/**
 * A port of the network as the W3C specifies a `SerialPort`. A port whose connection the server has ended never comes
 * back: its successor is another object.
 *
 * A closed port keeps its connection for a moment: most servers change the control lines when a client leaves, and a
 * change of the baud rate closes and opens a port.
 */
import type { Clock } from '@wirebench/clock';
import { aborted, deferred, linesRaised, type NamedPort, unlessAborted, within } from '@wirebench/port';
import {
  badArgument,
  bytesOf,
  checkOptions,
  deviceLost,
  failedCall,
  PortEventTarget,
} from '@wirebench/port/web-serial';
import { type CommandName, control, otherParities, parities, purge } from '../com-port-commands.ts';
import type { ComPortClient, LineErrorKind } from './com-port-client.ts';
import type { NetworkAddress } from './network-address.ts';
import { dial, type NetworkWire, sentAwayText } from './network-wire.ts';

/** Time for which a closed port keeps its connection, in milliseconds. */
const LINGER = 500;
/** Longest time for the answer to a change of settings, in milliseconds. pySerial's client waits for 3 s. */
const ANSWER_LIMIT = 5_000;
/** Longest wait for the first report of the modem lines, in milliseconds. */
const MODEM_LIMIT = 1_000;
/** Largest difference between a rate and the one that a server sets, as a share: divisors round. */
const RATE_TOLERANCE = 0.03;
/** Fewest unread bytes from which a server has to wait. */
const LEAST_UNREAD = 4_096;
/** Break, framing, parity and overrun errors are notified (RFC 2217, section 4). */
const LINE_ERRORS = 30;
/** All changes of the modem lines are notified. */
const MODEM_CHANGES = 255;

/** Settings of `open` that Web Serial lacks. They apply to RFC 2217 alone. */
export interface NetworkSettings {
  readonly dataBits?: 5 | 6 | 7 | 8;
  readonly parity?: ParityType | 'mark' | 'space';
  readonly flowControl?: FlowControlType | 'software';
}

type WireSettings = Omit<ReturnType<typeof checkOptions>, keyof NetworkSettings> & Required<NetworkSettings>;

/** The registry that a port belongs to. */
export interface NetworkRegistry {
  /** Called once, when the connection has ended. */
  lost(port: NetworkPort): void;
  forget(port: NetworkPort): void;
}

const errorNames: Readonly<Record<LineErrorKind, string>> = {
  break: 'BreakError',
  framing: 'FramingError',
  parity: 'ParityError',
  overrun: 'BufferOverrunError',
};

export class NetworkPort extends PortEventTarget implements SerialPort, NamedPort {
  readonly portName: string;
  readonly address: NetworkAddress;
  readonly #clock: Clock;
  readonly #registry: NetworkRegistry;
  #own: NetworkSettings = {};
  #state: 'closed' | 'opening' | 'open' | 'closing' = 'closed';
  #connected = true;
  #isForgotten = false;
  #wire: NetworkWire | null = null;
  #reaching: Promise<NetworkWire> | null = null;
  #cancelLinger: () => void = () => undefined;
  /** Control lines as the server has them; null before the first opening. */
  #lines: { readonly dtr: boolean; readonly rts: boolean } | null = null;
  #received: (Uint8Array<ArrayBuffer> | LineErrorKind)[] = [];
  #unread = 0;
  #mostUnread = LEAST_UNREAD;
  #arrived = deferred<void>();
  #readable: ReadableStream<Uint8Array<ArrayBuffer>> | null = null;
  #writable: WritableStream<Uint8Array> | null = null;
  #isReadToEnd = false;
  #bufferSize = 0;

  /** @param name Address as it was given. */
  constructor(name: string, address: NetworkAddress, clock: Clock, registry: NetworkRegistry) {
    super();
    this.portName = name;
    this.address = address;
    this.#clock = clock;
    this.#registry = registry;
  }

  get connected(): boolean {
    return this.#connected;
  }

  get readable(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#state !== 'open' || this.#isReadToEnd) {
      return null;
    }
    this.#readable ??= this.#newReadable();
    return this.#readable;
  }

  get writable(): WritableStream<Uint8Array> | null {
    if (this.#state !== 'open' || !this.#connected) {
      return null;
    }
    this.#writable ??= this.#newWritable();
    return this.#writable;
  }

  /** The far end does not tell the USB IDs of its adapter. */
  getInfo(): SerialPortInfo {
    return {};
  }

  /** Replaces settings of `open` from the next opening on. */
  useNative(settings: NetworkSettings): void {
    this.#own = settings;
  }

  /**
   * Connects without opening the port, unless it is connected.
   *
   * @throws NetworkPortError if the server cannot be reached or used.
   */
  async reach(): Promise<void> {
    await this.#reached();
  }

  /** Takes a connection that was made for this port. It ends after a moment, unless the port is opened. */
  adopt(wire: NetworkWire): void {
    this.#wire = wire;
    void wire.ended.then(() => this.#ended(wire));
    this.#linger(ANSWER_LIMIT);
  }

  /**
   * Connects, sets the rate and the frame, and raises DTR and RTS where they are not known to be raised.
   *
   * @throws TypeError for settings that are no settings of a port.
   * @throws NotSupportedError for settings that the server refuses, with a sentence.
   * @throws NetworkError if the port is lost. UnknownError if the server cannot be reached or used, with a sentence.
   */
  async open(options: SerialOptions): Promise<void> {
    const settings = { ...checkOptions(options), ...this.#own };
    if (this.#state !== 'closed') {
      const reason =
        this.#state === 'opening' ? 'A call to open() is already in progress.' : 'The port is already open.';
      throw failedCall('open', reason, 'InvalidStateError');
    }
    if (!this.#connected || this.#isForgotten) {
      throw failedCall('open', 'Failed to open serial port.', 'NetworkError');
    }
    this.#state = 'opening';
    this.#cancelLinger();
    try {
      const wire = await this.#reached();
      this.#cancelLinger();
      this.#received = [];
      this.#unread = 0;
      this.#isReadToEnd = false;
      this.#bufferSize = settings.bufferSize;
      this.#mostUnread = Math.max(LEAST_UNREAD, settings.bufferSize);
      if (wire.com !== null) {
        await this.#configure(wire, wire.com, settings);
      }
      wire.events = {
        bytes: (bytes) => this.#take(Uint8Array.from(bytes), bytes.length),
        lineError: (kind) => this.#take(kind, 0),
      };
      this.#state = 'open';
    } catch (error) {
      this.#state = 'closed';
      this.#linger(LINGER);
      throw error instanceof DOMException
        ? error
        : new DOMException(error instanceof Error ? error.message : String(error), 'UnknownError');
    }
  }

  async close(): Promise<void> {
    const wire = this.#wire;
    if (this.#state !== 'open') {
      throw failedCall('close', 'The port is already closed.', 'InvalidStateError');
    }
    if (this.#readable?.locked || this.#writable?.locked) {
      throw badArgument('close', 'Cannot cancel a locked stream');
    }
    const [readable, writable] = [this.#readable, this.#writable];
    this.#state = 'closing';
    if (wire !== null) {
      wire.events = null;
      wire.hold(false);
    }
    this.#arrived.resolve();
    await Promise.all([readable?.cancel().catch(() => 'lost'), writable?.abort().catch(() => 'lost')]);
    if (this.#lines?.rts === true && !this.#lines.dtr) {
      // A board with an auto-reset circuit would stay in its reset.
      this.#tellLines(this.#lines.dtr, false);
    }
    this.#received = [];
    this.#readable = null;
    this.#writable = null;
    this.#state = 'closed';
    this.#linger(LINGER);
  }

  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.#registry.forget(this);
    if (this.#state === 'open') {
      await this.close();
    }
    this.#wire?.leave();
  }

  /** Resolves when the change was sent: waiting for its answer would stretch the pauses of a reset. */
  async setSignals(signals: SerialOutputSignals = {}): Promise<void> {
    const wire = this.#openWire('setSignals');
    const { dataTerminalReady, requestToSend, break: brk } = signals;
    if (dataTerminalReady === undefined && requestToSend === undefined && brk === undefined) {
      throw badArgument('setSignals', 'Signals dictionary must contain at least one member.');
    }
    const { dtr, rts } = this.#lines ?? linesRaised;
    this.#tellLines(dataTerminalReady ?? dtr, requestToSend ?? rts);
    if (brk !== undefined) {
      wire.com?.tell(['control', brk ? control.breakOn : control.breakOff]);
    }
  }

  async getSignals(): Promise<SerialInputSignals> {
    const { com } = this.#openWire('getSignals');
    if (com !== null && com.inputs === null) {
      await within(this.#clock, MODEM_LIMIT, com.ask('modemState', 0));
    }
    const none = { clearToSend: false, dataCarrierDetect: false, dataSetReady: false, ringIndicator: false };
    return com?.inputs ?? none;
  }

  #openWire(method: string): NetworkWire {
    if (this.#state !== 'open') {
      throw failedCall(method, 'The port is closed.', 'InvalidStateError');
    }
    if (this.#wire === null) {
      throw failedCall(method, 'The connection has ended.', 'NetworkError');
    }
    return this.#wire;
  }

  async #reached(): Promise<NetworkWire> {
    if (this.#wire !== null) {
      return this.#wire;
    }
    this.#reaching ??= dial(this.address, this.#clock).finally(() => {
      this.#reaching = null;
    });
    const wire = await this.#reaching;
    if (this.#wire === null) {
      this.adopt(wire);
    }
    return wire;
  }

  /** Ends an unused connection after a moment. */
  #linger(duration: number): void {
    this.#cancelLinger();
    this.#cancelLinger = this.#clock.schedule(duration, () => {
      const wire = this.#wire;
      if (this.#state === 'closed' && wire !== null) {
        this.#wire = null;
        this.#lines = null;
        wire.leave();
      }
    });
  }

  #ended(wire: NetworkWire): void {
    if (this.#wire === wire) {
      this.#wire = null;
      this.#cancelLinger();
      this.#connected = false;
      this.#arrived.resolve();
      this.#registry.lost(this);
    }
  }

  /** @throws DOMException for settings that the server refuses, or after the end of the connection. */
  async #configure(wire: NetworkWire, com: ComPortClient, settings: WireSettings) {
    const { baudRate, dataBits, stopBits, parity, flowControl } = settings;
    const parityNumber = parity === 'mark' || parity === 'space' ? otherParities[parity] : parities.indexOf(parity);
    const wanted: readonly (readonly [CommandName, number, string])[] = [
      ['baudRate', baudRate, `${baudRate} baud`],
      ['dataSize', dataBits, `${dataBits} data bits`],
      ['parity', parityNumber, `parity ${parity}`],
      ['stopSize', stopBits, `${stopBits} stop bits`],
    ];
    const answers = Promise.all(wanted.map(([name, value]) => com.ask(name, value)));
    const flow = { none: control.flowNone, hardware: control.flowHardware, software: control.flowXon };
    com.tell(['control', flow[flowControl]], ['lineStateMask', LINE_ERRORS], ['modemStateMask', MODEM_CHANGES]);
    const outcome = await within(this.#clock, ANSWER_LIMIT, Promise.race([answers, wire.ended]));
    const { name } = this.address;
    if (wire.isOver) {
      throw new DOMException(sentAwayText(name, wire.lastWords), 'UnknownError');
    }
    if (outcome === 'late') {
      throw new DOMException(`${name} does not answer to its settings within 5 s.`, 'UnknownError');
    }
    for (const [at, answer] of (await answers).entries()) {
      const [command, value, what] = wanted[at] as (typeof wanted)[number];
      const tolerance = command === 'baudRate' ? value * RATE_TOLERANCE : 0;
      if (Math.abs(answer - value) > tolerance) {
        const nearest = command === 'baudRate' && answer > 0 ? ` It sets ${answer} baud instead.` : '';
        throw new DOMException(`${name} refuses ${what}.${nearest}`, 'NotSupportedError');
      }
    }
    if (this.#lines === null) {
      com.tell(['control', control.dtrOn], ['control', control.rtsOn]);
    }
    this.#lines ??= linesRaised;
    this.#tellLines(true, true);
  }

  /**
   * Sends the lines that change, in one piece. RTS falls before DTR changes and rises after it: RTS alone would reset a
   * board with an auto-reset circuit.
   */
  #tellLines(dtr: boolean, rts: boolean): void {
    const before = this.#lines ?? linesRaised;
    this.#lines = { dtr, rts };
    const dtrChange = ['control', dtr ? control.dtrOn : control.dtrOff] as const;
    const rtsChange = ['control', rts ? control.rtsOn : control.rtsOff] as const;
    const changes: (readonly [CommandName, number])[] = before.dtr === dtr ? [] : [dtrChange];
    if (before.rts !== rts) {
      changes[rts ? 'push' : 'unshift'](rtsChange);
    }
    if (changes.length > 0) {
      this.#wire?.com?.tell(...changes);
    }
  }

  #take(item: Uint8Array<ArrayBuffer> | LineErrorKind, length: number): void {
    this.#received.push(item);
    this.#unread += length;
    if (this.#unread >= this.#mostUnread) {
      this.#wire?.hold(true);
    }
    this.#arrived.resolve();
  }

  #newReadable(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let isCancelled = false;
    return new ReadableStream(
      {
        type: 'bytes',
        pull: async (controller) => {
          while (this.#received.length === 0 && this.#connected && this.#state === 'open' && !isCancelled) {
            this.#arrived = deferred<void>();
            await this.#arrived.promise;
          }
          const item = isCancelled || this.#state !== 'open' ? undefined : this.#received.shift();
          if (typeof item === 'object') {
            this.#unread -= item.length;
            if (this.#unread < this.#mostUnread) {
              this.#wire?.hold(false);
            }
            controller.enqueue(item);
          } else if (item !== undefined) {
            this.#readable = null;
            controller.error(new DOMException(`A ${item} error was received.`, errorNames[item]));
          } else if (!isCancelled && !this.#connected) {
            this.#isReadToEnd = true;
            this.#readable = null;
            controller.error(deviceLost());
          }
        },
        cancel: () => {
          isCancelled = true;
          this.#readable = null;
          this.#arrived.resolve();
        },
      },
      { highWaterMark: 0 },
    );
  }

  #newWritable(): WritableStream<Uint8Array> {
    return new WritableStream(
      {
        write: async (chunk, { signal }) => {
          const wire = this.#wire;
          const bytes = bytesOf(chunk);
          if (wire === null) {
            this.#writable = null;
            throw deviceLost();
          }
          const outcome = await unlessAborted(wire.send(bytes), signal).catch((error: unknown) => {
            this.#writable = null;
            throw error;
          });
          if (outcome === aborted) {
            // Bytes that wait for a server which reads nothing are dropped with the connection.
            wire.end();
          }
        },
        close: () => {
          this.#writable = null;
        },
        abort: () => {
          this.#writable = null;
          if (this.#state === 'open') {
            this.#wire?.com?.tell(['purge', purge.transmit]);
          }
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: this.#bufferSize }),
    );
  }
}
