/**
 * Sends DFU requests to one interface of a USB device: downloads with the device's poll timeout, uploads, and the way
 * back to idle. It knows neither sectors nor flash.
 */
import type { Clock } from '@wirebench/clock';
import { deferred, errorName, limited } from '@wirebench/port';
import { hexNumber } from '../../core/bytes.ts';
import { PortError } from '../../port-failure.ts';
import type { UsbDevice, UsbInResult, UsbOutResult } from '../../usb-device.ts';
import { deadlines } from '../deadlines.ts';
import { StmError, type StmFailure } from '../stm-failure.ts';
import { type DfuStatus, parseStatus, requests, states, statuses } from './requests.ts';

/**
 * Shortest poll interval in milliseconds, because devices may report zero, and tries until a device that is not idle
 * counts as stuck.
 */
const SHORTEST_POLL = 1;
const IDLE_TRIES = 6;

/** Result of a transfer: its answer, or a stall, by which a device refuses. */
type Transfer<Result> = Result | 'stall';

export class DfuLink {
  readonly device: UsbDevice;
  readonly clock: Clock;
  readonly over: AbortSignal;
  readonly #interface: number;
  readonly #end = new AbortController();
  #sent = 0;
  /** Latest time at which the device has finished its last block. */
  #doneAt = Number.NEGATIVE_INFINITY;

  /** @param gone Aborts when the system reports that the device was unplugged. */
  constructor(clock: Clock, device: UsbDevice, interfaceNumber: number, gone: AbortSignal | undefined) {
    this.clock = clock;
    this.device = device;
    this.#interface = interfaceNumber;
    this.over = this.#end.signal;
    gone?.addEventListener('abort', () => this.#lose(undefined), { once: true });
    if (gone?.aborted) {
      this.#lose(undefined);
    }
  }

  get sent(): number {
    return this.#sent;
  }

  /** Longest time for which the device may be busy with a block that the caller gave up, in milliseconds. */
  get backlog(): number {
    return Math.max(0, this.#doneAt - this.clock.now());
  }

  /**
   * Sends a block and polls the status until it is done. The first status request makes the device begin (AN3156
   * section 5).
   *
   * @throws StmError with `refusal` if the device refuses.
   */
  async download(
    block: number,
    bytes: Uint8Array<ArrayBuffer>,
    refusal: StmFailure,
    what: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<void> {
    const sent = await this.#transferOut(requests.download, block, bytes, what, signal);
    const deadline = this.clock.now() + limit;
    this.#doneAt = deadline;
    let status = sent === 'stall' ? null : await this.status(signal);
    while (status !== null && status.status === statuses.ok && isBusy(status.state)) {
      if (this.clock.now() > deadline) {
        throw new StmError('stopped-answering', { detail: `Not done in time: ${what}.` });
      }
      await this.clock.sleep(Math.max(SHORTEST_POLL, status.pollTimeout), AbortSignal.any([signal, this.over]));
      status = await this.status(signal);
    }
    this.#doneAt = Number.NEGATIVE_INFINITY;
    if (status === null || status.status !== statuses.ok) {
      throw await this.#refused(status, refusal, what, signal);
    }
  }

  /**
   * Sends a block and requests the status once, for blocks after which the device disconnects.
   *
   * @returns the status, or null for a stall.
   */
  async downloadOnce(
    block: number,
    bytes: Uint8Array<ArrayBuffer>,
    what: string,
    signal: AbortSignal,
  ): Promise<DfuStatus | null> {
    await this.#transferOut(requests.download, block, bytes, what, signal);
    return this.status(signal);
  }

  /**
   * Reads a block.
   *
   * @throws StmError with `refusal` if the device refuses.
   */
  async upload(
    block: number,
    length: number,
    refusal: StmFailure,
    what: string,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const result = await this.#transferIn(requests.upload, block, length, what, signal);
    const data = result === 'stall' ? undefined : result.data;
    if (data === undefined) {
      throw await this.#refused(await this.status(signal), refusal, what, signal);
    }
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  }

  /** Requests the status. Returns null if the device refuses even that. */
  async status(signal: AbortSignal): Promise<DfuStatus | null> {
    const result = await this.#transferIn(requests.getStatus, 0, 6, 'status', signal);
    return result === 'stall' ? null : parseStatus(result.data);
  }

  /**
   * Brings the device to idle from any state (DFU figure A.1), after it is no longer busy.
   *
   * @throws StmError `stopped-answering`.
   */
  async toIdle(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < IDLE_TRIES; ) {
      const status = await this.status(signal);
      if (status?.state === states.idle) {
        return;
      }
      const isAtWork = status !== null && isBusy(status.state) && this.backlog > 0;
      attempt += isAtWork ? 0 : 1;
      if (status === null || status.state === states.error) {
        await this.#transferOut(requests.clearStatus, 0, undefined, 'clear status', signal);
      } else if (isBusy(status.state)) {
        await this.clock.sleep(Math.max(SHORTEST_POLL, status.pollTimeout), AbortSignal.any([signal, this.over]));
      } else {
        await this.#transferOut(requests.abort, 0, undefined, 'abort', signal);
      }
    }
    throw new StmError('stopped-answering', { detail: 'The bootloader did not become idle.' });
  }

  async close(): Promise<void> {
    this.#end.abort(new DOMException('The device is closed.', 'AbortError'));
    // A device that is gone cannot be closed and need not be.
    await this.device.close().catch(() => undefined);
  }

  async #refused(status: DfuStatus | null, refusal: StmFailure, what: string, signal: AbortSignal): Promise<StmError> {
    if (status?.state === states.error || status === null) {
      await this.#transferOut(requests.clearStatus, 0, undefined, 'clear status', signal);
    }
    const code = status?.status === statuses.vendor ? 'read-protected' : refusal;
    const said = status === null ? 'a stall' : `status ${hexNumber(status.status)}`;
    return new StmError(code, { detail: `Refused with ${said}: ${what}.` });
  }

  #transferIn(request: number, value: number, length: number, what: string, signal: AbortSignal) {
    const setup = { requestType: 'class', recipient: 'interface', request, value, index: this.#interface } as const;
    return this.#transfer<UsbInResult>(() => this.device.controlTransferIn(setup, length), what, signal);
  }

  #transferOut(
    request: number,
    value: number,
    bytes: Uint8Array<ArrayBuffer> | undefined,
    what: string,
    signal: AbortSignal,
  ) {
    const setup = { requestType: 'class', recipient: 'interface', request, value, index: this.#interface } as const;
    this.#sent += bytes?.length ?? 0;
    return this.#transfer<UsbOutResult>(() => this.device.controlTransferOut(setup, bytes), what, signal);
  }

  async #transfer<Result extends { readonly status?: string | undefined }>(
    work: () => Promise<Result>,
    what: string,
    signal: AbortSignal,
  ): Promise<Transfer<Result>> {
    this.over.throwIfAborted();
    signal.throwIfAborted();
    const limit = limited(this.clock, deadlines.transfer, AbortSignal.any([signal, this.over]));
    const ended = deferred<never>();
    const onEnd = () => ended.reject(limit.signal.reason);
    limit.signal.addEventListener('abort', onEnd, { once: true });
    try {
      const result = await Promise.race([work(), ended.promise]);
      return result.status === 'stall' ? 'stall' : result;
    } catch (error) {
      if (limit.signal.aborted && !signal.aborted && !this.over.aborted) {
        throw new StmError('stopped-answering', { detail: `No answer to: ${what}.`, cause: error });
      }
      if (error === limit.signal.reason) {
        throw error;
      }
      throw this.#lose(error);
    } finally {
      limit.signal.removeEventListener('abort', onEnd);
      limit.cancel();
    }
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

function isBusy(state: number): boolean {
  return state === states.downloadBusy || state === states.downloadSync || state === states.manifest;
}
