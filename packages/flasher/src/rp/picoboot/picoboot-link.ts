/**
 * Sends PICOBOOT commands over one USB interface. The ROM runs one command at a time, in the order of the transfers, so
 * several may be handed to the system at once: the bus then never waits for the page. Each wait has a limit. After a
 * fault, `recover` finds the way back: the status, an interface reset, a second one, and the way into flash.
 */
import type { Clock } from '@wirebench/clock';
import { errorName } from '@wirebench/port';
import { isUnplugged, PortError } from '../../port-failure.ts';
import type { BulkUsbDevice, UsbInResult, UsbOutResult } from '../../usb-device.ts';
import { deadlines } from '../deadlines.ts';
import { RpError } from '../rp-failure.ts';
import {
  type CommandStatus,
  commandBytes,
  exclusiveAccess,
  exitXip,
  type PicobootCommand,
  parseStatus,
  STATUS_SIZE,
  statusText,
} from './commands.ts';
import { settled } from './usb-limit.ts';

/** Control requests of the interface (RP2040 datasheet 2.8.5.3 and 2.8.5.4). */
const requests = { reset: 0x41, status: 0x42 } as const;
/** Most times that the interface is reset before a board counts as stuck. */
const RESETS = 3;
/** Bytes of a packet: room for an acknowledgement, which is empty. */
const PACKET = 64;

export interface PicobootPlace {
  readonly interfaceNumber: number;
  /** Endpoint numbers without the bit of the direction. */
  readonly in: number;
  readonly out: number;
}

type Direction = 'in' | 'out';

/** The board refused a transfer. */
class Stall extends Error {}

/** Cause of a failure with the code `refused`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Status code that the board stated (RP2350 datasheet 5.6.5.1); null if it stated none. */
  readonly status: number | null;

  constructor(status: number | null, cause: unknown) {
    super(status === null ? 'no status' : statusText(status), { cause });
    this.status = status;
  }
}

export class PicobootLink {
  readonly clock: Clock;
  readonly over: AbortSignal;
  readonly #device: BulkUsbDevice;
  readonly #place: PicobootPlace;
  readonly #end = new AbortController();
  #sent = 0;
  #token = 0;
  /** Settles with the latest command. */
  #last: Promise<unknown> = Promise.resolve();
  /** Transfers that have not settled. */
  readonly #open = new Set<Promise<unknown>>();
  /** Endpoints that the host has seen halted. */
  readonly #halted = new Set<Direction>();
  #needsRecovery = false;
  /** Aborts the waits for transfers that a recovery gives up. */
  #turn = new AbortController();

  /** @param gone Aborts when the system reports that the device was unplugged. */
  constructor(clock: Clock, device: BulkUsbDevice, place: PicobootPlace, gone: AbortSignal | undefined) {
    this.clock = clock;
    this.#device = device;
    this.#place = place;
    this.over = this.#end.signal;
    gone?.addEventListener('abort', () => this.#lose(undefined), { once: true });
    if (gone?.aborted) {
      this.#lose(undefined);
    }
  }

  /** Bytes sent to the board. */
  get sent(): number {
    return this.#sent;
  }

  /** True: a command has failed, and `recover` has to be called before the next one. */
  get needsRecovery(): boolean {
    return this.#needsRecovery;
  }

  /**
   * Hands a command to the board, behind those that are under way. If an earlier one fails, this one fails with it.
   *
   * @param limit In milliseconds from the end of the command before.
   * @returns the data that the command sends.
   * @throws RpError `refused`, `stopped-answering`, `out-of-step`, `stuck`; call `recover` then.
   * @throws PortError when the device is gone.
   */
  run(command: PicobootCommand, limit: number = deadlines.command): Promise<Uint8Array> {
    const before = this.#last;
    const result = this.#run(command, before, limit);
    this.#last = result;
    // The caller may await only the last of several commands.
    result.catch(() => undefined);
    return result;
  }

  /** Takes the flash and connects it to the commands. Needed once, and after each recovery. */
  async prepare(): Promise<void> {
    this.run(exclusiveAccess('take'));
    await this.run(exitXip);
  }

  /**
   * Gets the board to answer again after a fault.
   *
   * @throws RpError `stuck` for a command that does not end, `stopped-answering`. @throws PortError when the device is gone.
   */
  async recover(): Promise<void> {
    this.over.throwIfAborted();
    // A command that still runs ends in time. A reset would stop an erase half way.
    await this.#untilIdle();
    for (let attempt = 1; ; attempt++) {
      await this.#clear();
      const isBack = await this.#isBack();
      if (isBack) {
        return;
      }
      if (attempt === RESETS) {
        const status = await this.status();
        throw new RpError(status?.inProgress ? 'stuck' : 'stopped-answering', { detail: 'The resets did not help.' });
      }
    }
  }

  /** Requests the status of the latest command. Returns null if the board refuses or does not answer. */
  async status(): Promise<CommandStatus | null> {
    const setup = { ...this.#setup, request: requests.status };
    const { data, status } = await this.#limited(this.#device.controlTransferIn(setup, STATUS_SIZE), 'status');
    return status === 'stall' ? null : parseStatus(data);
  }

  /** Ends the link and closes the device. Never rejects. */
  async close(): Promise<void> {
    this.#end.abort(new DOMException('The device is closed.', 'AbortError'));
    // A device that is gone cannot be closed and need not be.
    await settled(this.clock, deadlines.control, this.#device.close()).catch(() => undefined);
  }

  async #run(command: PicobootCommand, before: Promise<unknown>, limit: number): Promise<Uint8Array> {
    this.over.throwIfAborted();
    const turn = this.#turn.signal;
    const work = this.#transfers(command);
    work.catch(() => undefined);
    await before;
    let late = false;
    try {
      return await this.#orEnd(
        turn,
        settled(this.clock, limit, work, command.what).catch((error: unknown) => {
          late = error instanceof RpError && error.code === 'stopped-answering';
          throw error;
        }),
      );
    } catch (error) {
      this.#needsRecovery = true;
      throw await this.#failureOf(error, late, command);
    }
  }

  /** Starts the transfers of a command. Rejects with the first that fails; the others may never settle. */
  async #transfers(command: PicobootCommand): Promise<Uint8Array> {
    const { data, length, what } = command;
    this.#token = (this.#token + 1) >>> 0 || 1;
    const isRead = length > 0;
    const transfers = [this.#send(commandBytes(command, this.#token))];
    if (data !== undefined) {
      transfers.push(this.#send(Uint8Array.from(data)));
    }
    const answer = this.#receive(isRead ? length : PACKET);
    if (isRead) {
      transfers.push(this.#send(new Uint8Array(0)));
    }
    const [bytes] = await Promise.all([answer, ...transfers]);
    if (bytes.length !== length) {
      throw new RpError('out-of-step', { detail: `${bytes.length} instead of ${length} bytes: ${what}.` });
    }
    return bytes;
  }

  async #send(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#sent += bytes.length;
    await this.#track('out', this.#device.transferOut(this.#place.out, bytes));
  }

  async #receive(length: number): Promise<Uint8Array> {
    const { data } = await this.#track('in', this.#device.transferIn(this.#place.in, length));
    return data === undefined ? new Uint8Array(0) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }

  async #track<Result extends UsbInResult | UsbOutResult>(
    direction: Direction,
    transfer: Promise<Result>,
  ): Promise<Result> {
    this.#open.add(transfer);
    try {
      const result = await transfer;
      if (result.status === 'stall') {
        this.#halted.add(direction);
      }
      if (result.status !== undefined && result.status !== 'ok') {
        throw new Stall(direction);
      }
      return result;
    } finally {
      this.#open.delete(transfer);
    }
  }

  /** Says why a command failed, from what the board says of it. */
  async #failureOf(error: unknown, late: boolean, { what }: PicobootCommand): Promise<unknown> {
    this.over.throwIfAborted();
    if (error instanceof Stall) {
      const status = await this.status().catch(() => null);
      const refusal = new Refusal(status?.code ?? null, error);
      return new RpError('refused', { detail: `${refusal.message}: ${what}.`, cause: refusal });
    }
    if (late) {
      const status = await this.status().catch(() => null);
      const said = status === null ? 'no status' : status.inProgress ? 'still running' : statusText(status.code);
      return new RpError('stopped-answering', { detail: `Not done in time, ${said}: ${what}.`, cause: error });
    }
    if (error instanceof RpError || error instanceof PortError) {
      return error;
    }
    const name = errorName(error);
    if (name === 'NotFoundError') {
      return this.#lose(error);
    }
    // A transfer error may be a cable. Whether the device is there shows in the recovery.
    return new RpError('stopped-answering', { detail: `${name}: ${what}.`, cause: error });
  }

  /** Gives up what has not settled, resets the interface, and leaves no acknowledgement in the way. */
  async #clear(): Promise<void> {
    this.#turn.abort(new DOMException('The transfers are given up.', 'AbortError'));
    await this.#dropTransfers();
    await this.#reset();
    await this.clock.sleep(deadlines.settle, this.over);
    // The acknowledgement of a command that the first reset hit comes late, and would answer the next command.
    await this.#reset();
    for (const direction of [...this.#halted]) {
      this.#halted.delete(direction);
      await this.#limited(this.#device.clearHalt(direction, this.#place[direction]), `clear halt of ${direction}`);
    }
    this.#turn = new AbortController();
    this.#last = Promise.resolve();
    this.#needsRecovery = false;
  }

  /** Returns true if the board carries out commands again, and its status shows the last one. */
  async #isBack(): Promise<boolean> {
    try {
      await this.prepare();
    } catch (error) {
      if (error instanceof RpError) {
        return false;
      }
      throw error;
    }
    const status = await this.status();
    return status !== null && status.token === this.#token && !status.inProgress;
  }

  /** Waits until no command runs, as long as one may take. */
  async #untilIdle(): Promise<void> {
    const start = this.clock.now();
    for (;;) {
      const status = await this.status();
      if (status === null || !status.inProgress) {
        return;
      }
      if (this.clock.now() - start >= deadlines.stillRunning) {
        // A READ or WRITE waits for packets that no longer come: a reset ends it. EXEC does not end so.
        return;
      }
      await this.clock.sleep(deadlines.poll, this.over);
    }
  }

  async #reset(): Promise<void> {
    const setup = { ...this.#setup, request: requests.reset };
    await this.#limited(this.#device.controlTransferOut(setup), 'interface reset');
  }

  /**
   * Gives up transfers that have not settled: after a reset the board would carry out queued commands, and their answers would
   * take the place of later ones. WebUSB gives transfers up when the device is closed ("close").
   */
  async #dropTransfers(): Promise<void> {
    if (this.#open.size === 0) {
      return;
    }
    await this.#limited(this.#device.close(), 'close');
    await this.#limited(Promise.allSettled([...this.#open]), 'given-up transfers');
    await this.#limited(this.#device.open(), 'open again');
    await this.#limited(this.#device.claimInterface(this.#place.interfaceNumber), 'claim again');
  }

  get #setup() {
    return { requestType: 'vendor', recipient: 'interface', value: 0, index: this.#place.interfaceNumber } as const;
  }

  /** Limits a call beside the commands, and ends it with the device. */
  async #limited<Result>(work: Promise<Result>, what: string): Promise<Result> {
    try {
      return await this.#orEnd(this.over, settled(this.clock, deadlines.control, work, what));
    } catch (error) {
      this.over.throwIfAborted();
      throw error instanceof RpError || isUnplugged(error) ? error : this.#lose(error);
    }
  }

  /** Rejects as soon as the device is gone or the recovery gives up. */
  #orEnd<Result>(turn: AbortSignal, work: Promise<Result>): Promise<Result> {
    const signal = AbortSignal.any([turn, this.over]);
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      if (signal.aborted) {
        onAbort();
      }
      signal.addEventListener('abort', onAbort, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  /** Ends the link. WebUSB transfers to an unplugged device fail with NotFoundError or NetworkError. */
  #lose(cause: unknown): PortError {
    const name = errorName(cause);
    const isGone = cause === undefined || name === 'NotFoundError' || name === 'NetworkError';
    const error = new PortError(isGone ? 'unplugged' : 'port-failed', { cause });
    this.#end.abort(error);
    return error;
  }
}
