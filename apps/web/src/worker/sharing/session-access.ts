/**
 * Gives a shared bench access to the bench's own sessions. A session lends its port to a guest and takes it back,
 * types for a guest, and logs the guest's traffic. Callers have already checked the guest's rights.
 */
import type { Clock } from '@wirebench/clock';
import { OpenError, type PortSettings } from '@wirebench/port';
import type { BenchAccess, EarlierLine, EarlierLinesWanted, GuestName, HiddenSending } from '@wirebench/remote';
import { hiddenLine, type PortNumber, portNumbers, reconnectPeriod } from '@wirebench/serial';
import type { BenchWorker } from '../bench/bench-worker.ts';

/**
 * Milliseconds for which a board that returned is reserved for the guest that lost it. A chip that restarts into its
 * bootloader on its own USB must not be opened by the session in between.
 */
const graceTime = 3_000;

/** Settings of the session before a guest received the port; null if it was closed. */
type Before = PortSettings | null;

interface Held {
  readonly user: string;
  readonly before: Before;
}

interface Return {
  readonly settings: PortSettings;
  isBack: boolean;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export interface SessionAccessParts {
  readonly clock: Clock;
  readonly worker: BenchWorker;
  /** Returns the shown name of a guest. */
  readonly nameOf: (guest: GuestName) => string;
  /** Called when the user of a port, or the set of ports, may have changed. */
  readonly onChange: () => void;
}

export class SessionAccess implements BenchAccess {
  readonly #parts: SessionAccessParts;
  readonly #held = new Map<PortNumber, Held>();
  readonly #returns = new Map<PortNumber, Return>();

  constructor(parts: SessionAccessParts) {
    this.#parts = parts;
  }

  /** Returns true if the board of this port was lost while a guest used it, and has not returned. */
  isLost(port: PortNumber): boolean {
    return this.#returns.get(port)?.isBack === false;
  }

  async acquire(port: number, guest: GuestName): Promise<SerialPort> {
    const number = portNumberOf(port);
    const user = this.#parts.nameOf(guest);
    const { bench, devices, acquired, toolPorts } = this.#parts.worker;
    const returning = this.#returns.get(number);
    returning?.abort.abort(new DOMException('A guest uses the port again.', 'AbortError'));
    await returning?.done;
    const { state, settings, info } = bench.status().ports[number];
    if (
      acquired.userOf(number) !== null ||
      toolPorts.isHeld(number) ||
      bench.jobs.isTransferring(number) ||
      state === 'connecting' ||
      state === 'disconnecting'
    ) {
      throw new OpenError('busy', null);
    }
    if (state === 'reconnecting') {
      throw new OpenError('device-gone', null);
    }
    const isOpen = state === 'connected';
    const before = isOpen ? settings : (returning?.settings ?? null);
    acquired.acquire(number, user);
    try {
      const device = isOpen ? devices.opened(number, info) : await this.#closed(number);
      if (device === null) {
        throw new OpenError('device-gone', null);
      }
      if (isOpen) {
        await bench.disconnect(number);
      }
      this.#held.set(number, { user, before });
      bench.countRecords(number, true);
      bench.notice('info', `${user} uses port ${number} from now on. You see what passes.`, number);
      this.#parts.onChange();
      return device;
    } catch (error) {
      acquired.release(number);
      throw error;
    }
  }

  release(port: number, isLost: boolean): void {
    const number = portNumberOf(port);
    const held = this.#held.get(number);
    if (held === undefined) {
      return;
    }
    const { bench, acquired } = this.#parts.worker;
    this.#held.delete(number);
    bench.countRecords(number, false);
    acquired.release(number);
    bench.notice('info', `${held.user} does not use port ${number} any more`, number);
    if (held.before !== null) {
      this.#reconnect(number, held.before, isLost);
    }
    this.#parts.onChange();
  }

  async typeKeys(port: number, keys: Uint8Array, guest: GuestName): Promise<void> {
    const number = portNumberOf(port);
    const { bench, typists } = this.#parts.worker;
    this.#checkConnected(number);
    const name = this.#parts.nameOf(guest);
    if (typists.typed(number, guest.id, name)) {
      bench.notice('info', `${name} types on port ${number}`, number);
    }
    await bench.type(number, keys);
  }

  type(port: number, bytes: Uint8Array, guest: GuestName): Promise<void> {
    return this.#send(port, bytes, guest, false);
  }

  readonly hidden: HiddenSending = {
    send: (port, bytes, guest) => this.#send(port, bytes, guest, true),
    line: hiddenLine,
  };

  async #send(port: number, bytes: Uint8Array, guest: GuestName, hidden: boolean): Promise<void> {
    const number = portNumberOf(port);
    const { bench } = this.#parts.worker;
    this.#checkConnected(number);
    const sent = bench.send(number, bytes, { hidden });
    this.#parts.worker.sign(number, `typed by ${this.#parts.nameOf(guest)}`);
    await sent;
  }

  /** Is called before sending, because the bench would log the refusal for each attempt of a guest. */
  #checkConnected(port: PortNumber): void {
    if (this.#parts.worker.bench.status().ports[port].state !== 'connected') {
      throw new DOMException(`Port ${port} is not connected.`, 'NetworkError');
    }
    if (this.#parts.worker.bench.jobs.isTransferring(port)) {
      throw new DOMException(`Port ${port} is transferring a file.`, 'NetworkError');
    }
  }

  /** Returns lines of the log as shown now, without cleared lines. */
  earlier(port: number, wanted: EarlierLinesWanted): EarlierLine[] {
    const { bench, authors } = this.#parts.worker;
    return bench.recentLines(portNumberOf(port), wanted).map(({ direction, sequence, at, bytes, isOpen }) => ({
      lane: direction,
      time: at,
      order: sequence,
      bytes,
      isOpen,
      author: direction === 'sent' ? authors.of(sequence) : null,
    }));
  }

  passed(port: number, lane: 'received' | 'sent', bytes: Uint8Array): void {
    const number = portNumberOf(port);
    this.#parts.worker.record(number, lane, bytes);
    const user = this.#held.get(number)?.user;
    if (lane === 'sent' && user !== undefined) {
      this.#parts.worker.sign(number, user);
    }
  }

  passedKeys(port: number, count: number): void {
    this.#parts.worker.bench.recordKeys(portNumberOf(port), count);
  }

  async #closed(port: PortNumber): Promise<SerialPort> {
    const { bench, devices } = this.#parts.worker;
    const { settings } = bench.status().ports[port];
    try {
      return await devices.take(port, { kind: 'same' }, settings?.baudRate ?? 115_200);
    } catch (error) {
      throw new OpenError('device-gone', error);
    }
  }

  #reconnect(port: PortNumber, settings: PortSettings, isLost: boolean): void {
    const abort = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const returning: Return = { settings, abort, isBack: !isLost, done: promise };
    this.#returns.set(port, returning);
    // The session itself logs the failure.
    this.#connectAgain(port, returning)
      .catch(() => undefined)
      .finally(() => {
        if (this.#returns.get(port) === returning) {
          this.#returns.delete(port);
        }
        resolve();
        this.#parts.onChange();
      });
  }

  async #connectAgain(port: PortNumber, returning: Return): Promise<void> {
    const { clock, worker } = this.#parts;
    const { bench, devices } = worker;
    const { settings, abort } = returning;
    if (!returning.isBack) {
      await this.#returned(port, abort.signal);
      returning.isBack = true;
      this.#parts.onChange();
      await clock.sleep(graceTime, abort.signal);
    }
    if (bench.status().ports[port].state === 'disconnected') {
      const connect = (device: SerialPort) => bench.connect(port, device, settings);
      await devices.attach(port, { kind: 'same' }, settings.baudRate, connect);
    }
  }

  /** Waits for the board as long as a session does, or until `waiting` aborts. */
  async #returned(port: PortNumber, waiting: AbortSignal): Promise<void> {
    const { clock, worker } = this.#parts;
    const seconds = reconnectPeriod / 1_000;
    worker.bench.notice(
      'warning',
      `The board of port ${port} is gone. It is connected again if it comes back within ${seconds} s.`,
      port,
    );
    const late = new AbortController();
    const cancel = clock.schedule(reconnectPeriod, () => {
      worker.bench.notice('warning', `The board of port ${port} did not come back. Connect it again.`, port);
      late.abort(new DOMException('The board did not come back.', 'TimeoutError'));
    });
    try {
      await worker.devices.returned(port, AbortSignal.any([waiting, late.signal]));
    } finally {
      cancel();
    }
  }
}

function portNumberOf(port: number): PortNumber {
  const number = portNumbers.find((one) => one === port);
  if (number === undefined) {
    throw new RangeError(`There is no port ${port}.`);
  }
  return number;
}
