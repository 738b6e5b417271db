/** A connected board: serialises calls, recovers after a fault, and closes the port at the end. */

import { limited } from '@wirebench/port';
import type { WorkOptions, WriteReport } from '../../core/board.ts';
import { BoardCalls } from '../../core/board-calls.ts';
import { addressText } from '../../core/bytes.ts';
import { leftAfter } from '../../core/flash-failure.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { PortError } from '../../port-failure.ts';
import { recoveryLimit } from '../../time-limit.ts';
import { type EfuseWords, readEfuses } from '../efuse/read-efuses.ts';
import type { EspBoard, EspWriteOptions } from '../esp-board.ts';
import { asEspError, EspError } from '../esp-failure.ts';
import type { EspInfo } from '../esp-info.ts';
import type { FlashAbility } from '../flash-ability.ts';
import { registersOf } from '../protocol/registers.ts';
import { retryOn } from '../write/esp-retry.ts';
import { eraseChip, eraseRange, hashRange, readRange } from '../write/flash-memory.ts';
import { type WriteHost, writeRegions } from '../write/write-regions.ts';
import { readEspBoot } from './boot-verdict.ts';
import { restartBoard } from './restart-board.ts';
import { establish, type Session, type SessionPlan } from './session.ts';
import { romBaudRate, sync } from './synchronise.ts';

/** SYNC requests after a fault before the board counts as lost. */
const SYNC_TRIES = 5;
/** Longest delay of a timer in milliseconds, about three weeks. */
const LONGEST = 2 ** 31 - 1;

const never = new AbortController().signal;

export class ConnectedEsp implements EspBoard {
  readonly #plan: SessionPlan;
  #session: Session;
  readonly #calls = new BoardCalls((error, signal) => this.#failureOf(error, signal));
  readonly #closed = new AbortController();
  readonly over: AbortSignal;
  readonly #host: WriteHost;

  constructor(plan: SessionPlan, session: Session) {
    this.#plan = plan;
    this.#session = session;
    const current = () => this.#session;
    this.#host = {
      clock: plan.clock,
      onNotice: plan.onNotice,
      get session() {
        return current();
      },
      recover: (failure, attempt, signal) => this.#recover(failure, attempt, signal),
    };
    this.over = AbortSignal.any([plan.link.port.over, this.#closed.signal]);
  }

  get info(): EspInfo {
    return this.#session.info;
  }

  get baudRate(): number {
    return this.#plan.link.port.baudRate;
  }

  get runsStub(): boolean {
    return this.#session.program === 'stub';
  }

  get ability(): FlashAbility {
    return this.#session.ability;
  }

  md5(range: FlashRange, { signal = never }: WorkOptions = {}): Promise<string> {
    return this.#calls.run(signal, () => {
      this.#mustFit(range);
      return retryOn(this.#host, signal, (session) => hashRange(session, range, signal));
    });
  }

  efuses({ signal = never }: Pick<WorkOptions, 'signal'> = {}): Promise<EfuseWords> {
    return this.#calls.run(signal, () =>
      retryOn(this.#host, signal, ({ chip, info, ability, link }) => {
        if (!ability.canAccessRegisters) {
          throw new EspError(ability.refusesWith, { detail: `The eFuses of ${chip.name} cannot be read.` });
        }
        return readEfuses(chip.name, info.revision, registersOf(link, signal).read);
      }),
    );
  }

  read(range: FlashRange, { signal = never, onProgress }: WorkOptions = {}): Promise<Uint8Array> {
    return this.#calls.run(signal, () => {
      this.#mustFit(range);
      return readRange(this.#host, range, { signal, ...(onProgress && { onProgress }) });
    });
  }

  erase(range: FlashRange, { signal = never, onProgress }: WorkOptions = {}): Promise<void> {
    return this.#calls.run(signal, () => {
      this.#mustFit(range);
      return eraseRange(this.#host, range, { signal, onErase: this.#onErase, ...(onProgress && { onProgress }) });
    });
  }

  eraseAll({ signal = never }: WorkOptions = {}): Promise<void> {
    return this.#calls.run(signal, () => eraseChip(this.#session, { signal, onErase: this.#onErase }));
  }

  write(regions: readonly FlashRegion[], options: EspWriteOptions = {}): Promise<WriteReport> {
    const { signal = never } = options;
    return this.#calls.run(signal, async () => {
      const report = await writeRegions(this.#host, regions, options, signal);
      this.#calls.erased = false;
      return report;
    });
  }

  restart(): Promise<void> {
    return this.#calls.run(never, async () => {
      const { clock, link, entry } = this.#plan;
      const { chip, ability } = this.#session;
      await restartBoard({ clock, link, port: entry.link, chip, ability }, this.over);
      this.#calls.end('The board has been restarted.');
      // Passes the program's output on until the board is closed.
      link.listen(LONGEST, this.over).catch(() => undefined);
    });
  }

  async close(): Promise<void> {
    this.#closed.abort(new DOMException('The board is closed.', 'AbortError'));
    await this.#plan.link.port.close();
  }

  readonly #onErase = () => {
    this.#calls.erased = true;
  };

  #mustFit({ offset, length }: FlashRange): void {
    const size = this.info.flash?.size ?? null;
    if (size !== null && offset + length > size) {
      throw new EspError('flash-too-small', { detail: `The flash chip ends at ${addressText(size)}.` });
    }
  }

  /** Reads the rest of the board's output after a fault or a cancel, so that the next call does not receive it. */
  async #failureOf(error: unknown, signal: AbortSignal): Promise<unknown> {
    if (!this.over.aborted) {
      await this.#plan.link.quiet(this.over).catch(() => undefined);
    }
    if (error instanceof RangeError) {
      return error;
    }
    const failure = asEspError(error, signal);
    return asEspError(failure, signal, leftAfter(this.#calls.erased, failure));
  }

  /**
   * Recovers after silence or a refusal. The board gets a SYNC; if it does not answer, it is reset and connected
   * again. From the second attempt on it always is, at a lower rate. A board on buttons cannot be reset; there an
   * answer of the expected program is enough. All of it takes at most `recoveryLimit` plus the time for which the
   * flash chip may still be busy.
   */
  async #recover(failure: EspError, attempt: number, signal: AbortSignal): Promise<void> {
    const { clock, link, entry, onNotice } = this.#plan;
    const limit = limited(clock, link.backlog + recoveryLimit, signal);
    try {
      link.forgetText();
      await link.quiet(limit.signal);
      const speaker = await sync(link, limit.signal, SYNC_TRIES);
      const answersAsBefore = speaker === this.#session.program;
      if (answersAsBefore && (attempt === 1 || entry.buttons)) {
        return;
      }
      if (entry.buttons && speaker !== 'rom') {
        throw failure;
      }
      const baudRate = attempt === 1 ? this.baudRate : Math.max(romBaudRate, Math.floor(this.baudRate / 2));
      this.#session = await establish({ ...this.#plan, baudRate, mac: this.info.mac }, limit.signal);
      onNotice({ kind: 'reconnected' });
    } catch (error) {
      if (error instanceof PortError || signal.aborted) {
        throw error;
      }
      if (readEspBoot(link.text).kind === 'brown-out') {
        throw new EspError('brown-out', { cause: failure });
      }
      throw error instanceof EspError && error.code === 'other-board' ? error : failure;
    } finally {
      limit.cancel();
    }
  }
}
