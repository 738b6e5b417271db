/**
 * A connected board: serialises calls, keeps the bootloader awake between them, recovers after a fault, and closes the
 * port at the end.
 */
import type { WorkOptions } from '../../core/board.ts';
import { type BoardCalls, memoryCalls } from '../../core/board-calls.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { untilGone } from '../../core/until-gone.ts';
import type { AvrBoard, AvrInfo, AvrWriteOptions, AvrWriteReport } from '../avr-board.ts';
import { asAvrError } from '../avr-failure.ts';
import { pagesOf } from '../parts/page-cover.ts';
import { retryOn } from '../write/avr-retry.ts';
import { mustFitEeprom, mustKnowPart } from '../write/check-write.ts';
import { readEeprom, readRange } from '../write/read-memory.ts';
import { writeRegions } from '../write/write-regions.ts';
import type { Session } from './session.ts';

const never = new AbortController().signal;

export class ConnectedAvr implements AvrBoard {
  readonly info: AvrInfo;
  readonly over: AbortSignal;
  readonly #session: Session;
  readonly #closed = new AbortController();
  readonly #calls: BoardCalls;
  /** True: the bootloader may be in the middle of a command, or may have left. */
  #outOfStep = false;
  #isOver = false;
  /** Ends when the request that keeps the bootloader awake is answered. */
  #awake: Promise<void> = Promise.resolve();
  #cancelAwake: () => void = () => undefined;

  constructor(session: Session, info: AvrInfo) {
    this.#session = session;
    this.info = info;
    this.#calls = memoryCalls(session.over, asAvrError);
    this.over = AbortSignal.any([session.over, this.#closed.signal]);
    this.over.addEventListener('abort', () => this.#cancelAwake(), { once: true });
    this.#keepAwake();
  }

  get baudRate(): number | null {
    return this.info.link === 'usb' ? null : this.#session.link.port.baudRate;
  }

  read(range: FlashRange, { signal = never, onProgress }: WorkOptions = {}): Promise<Uint8Array> {
    return this.#inStep(signal, () => {
      mustKnowPart(this.info);
      return readRange(this.#session, this.info, range, { signal, onProgress });
    });
  }

  readEeprom(range: FlashRange, { signal = never, onProgress }: WorkOptions = {}): Promise<Uint8Array> {
    return this.#inStep(signal, () => {
      mustFitEeprom(this.info, [range]);
      return readEeprom(this.#session, range, { signal, onProgress });
    });
  }

  erase(ranges: readonly FlashRange[] | null, { signal = never, onProgress }: WorkOptions = {}): Promise<void> {
    return this.#inStep(signal, async () => {
      const { application, pageSize } = this.info;
      mustKnowPart(this.info);
      const pages = pagesOf(ranges ?? [application], pageSize);
      const regions = pages.map(({ offset, length }) => ({ offset, bytes: new Uint8Array(length).fill(0xff) }));
      this.#calls.erased = true;
      await writeRegions(this.#session, this.info, regions, {
        signal,
        onEvent: (event) => {
          if (event.type === 'progress') {
            onProgress?.(event.done, event.total);
          }
        },
      });
    });
  }

  write(regions: readonly FlashRegion[], options: AvrWriteOptions = {}): Promise<AvrWriteReport> {
    const { signal = never } = options;
    return this.#inStep(signal, async () => {
      const report = await writeRegions(this.#session, this.info, regions, { ...options, signal });
      this.#calls.erased = false;
      return report;
    });
  }

  restart(): Promise<void> {
    return this.#inStep(never, async () => {
      const { driver, clock } = this.#session;
      await retryOn(this.#session, this.over, () => driver.leave(this.over));
      this.#isOver = true;
      this.#calls.end('The board has left its bootloader.');
      if (this.info.link === 'usb') {
        await untilGone(this.#session.over, clock);
      }
    });
  }

  async close(): Promise<void> {
    this.#closed.abort(new DOMException('The board is closed.', 'AbortError'));
    await this.#session.link.port.close();
  }

  /** Runs a call. After an earlier fault or cancel, the bootloader is brought into step first. */
  #inStep<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return this.#calls.run(signal, async () => {
      this.#cancelAwake();
      await this.#awake;
      signal.throwIfAborted();
      const sentBefore = this.#session.sent;
      try {
        if (this.#outOfStep) {
          await this.#session.recover(signal);
          this.#outOfStep = false;
        }
        return await work();
      } catch (error) {
        this.#outOfStep ||= this.#session.sent > sentBefore;
        throw error;
      } finally {
        this.#keepAwake();
      }
    });
  }

  /** Sends a request from time to time, while no call runs. Stops once the bootloader does not answer. */
  #keepAwake(): void {
    this.#cancelAwake();
    if (this.#isOver || this.#outOfStep || this.over.aborted) {
      return;
    }
    const { driver, clock } = this.#session;
    this.#cancelAwake = clock.schedule(driver.awakeInterval, () => {
      this.#awake = driver.keepAwake(this.over).then(
        () => this.#keepAwake(),
        () => {
          // The next call brings the bootloader into step, or reports why it cannot.
          this.#outOfStep = true;
        },
      );
    });
  }
}
