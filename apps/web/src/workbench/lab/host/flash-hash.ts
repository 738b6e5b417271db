/**
 * The hash of a board's whole flash, through the flasher: before the lab opens the board and after it has left it, never in between.
 * Fetched when somebody asks for it.
 */
import type { Clock } from '@wirebench/clock';
import { comparedHash, connectEsp, EspError } from '@wirebench/flasher/espressif';
import type { askForLeftPins } from '@wirebench/lab';
import type { FlashHash } from '../flash-facts.ts';
import { abortAfterReset } from './abort-after-reset.ts';

export interface HashFlash {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly baudRate: number;
  /** No line resets this board: its ROM calculates the hash, as nothing would bring it back from the stub. */
  readonly byHand: boolean;
  readonly expectedMac?: string | undefined;
  readonly returned: (signal: AbortSignal) => Promise<SerialPort>;
  /** It is in its bootloader, and is to run its own program afterwards; else it stays in its bootloader, for who connects next. */
  readonly restart: boolean;
  /** Hash to compare with: another answer counts only when the board gives it twice. */
  readonly earlier?: string | undefined;
  readonly beforeReset?: ReturnType<typeof askForLeftPins> | undefined;
}

export interface HashedFlash extends FlashHash {
  readonly mac: string | null;
}

/** Closes the port in any case; after a failure the board is reset into its own program. @throws EspError */
export async function hashFlash(device: SerialPort, options: HashFlash): Promise<HashedFlash> {
  const { clock, signal, baudRate, byHand, expectedMac, returned, restart, earlier, beforeReset } = options;
  // No line brings a board back that a person has brought into its bootloader.
  const inBootloader = restart && !byHand;
  const board = await connectEsp(device, {
    clock,
    ...(inBootloader ? abortAfterReset(signal) : { signal }),
    baudRate,
    entry: byHand ? 'buttons' : 'automatic',
    stub: !byHand,
    ...(expectedMac !== undefined && { expectedMac }),
    ...(beforeReset && { beforeReset }),
    returned,
    bringBack: true,
  });
  let restarts = true;
  try {
    const { flash, mac } = board.info;
    if (!flash?.size) {
      throw new EspError('flash-not-found', { detail: 'The flash chip does not tell its size.' });
    }
    const begun = clock.now();
    const all = { offset: 0, length: flash.size };
    const ask = () => board.md5(all, { signal });
    const md5 = await (earlier === undefined ? ask() : comparedHash(earlier, ask));
    restarts = restart;
    return { md5, bytes: flash.size, took: clock.now() - begun, mac };
  } finally {
    if (restarts) {
      await board.restart().catch(() => undefined);
    }
    await board.close();
  }
}
