/**
 * Hashes a board's whole flash through the flasher, before the lab opens the board and after the lab has left it,
 * never in between. This code is fetched on demand.
 */
import type { Clock } from '@wirebench/clock';
import { comparedHash, connectEsp, EspError } from '@wirebench/flasher/esp';
import type { askForLeftPins } from '@wirebench/lab';
import type { FlashHash } from '../../protocol/flash-facts.ts';
import { abortAfterReset } from './abort-after-reset.ts';

export interface HashFlash {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly baudRate: number;
  /**
   * True: no control line resets this board. Its ROM then calculates the hash, because nothing could bring the board
   * back from the stub.
   */
  readonly byHand: boolean;
  readonly expectedMac?: string | undefined;
  readonly returned: (signal: AbortSignal) => Promise<SerialPort>;
  /**
   * True: the board is in its bootloader, and must run its own program afterwards. False: it stays in its bootloader
   * for the next connect.
   */
  readonly restart: boolean;
  /** Hash to compare with. If the first answer differs, the board is asked again, and the second answer counts. */
  readonly earlier?: string | undefined;
  readonly beforeReset?: ReturnType<typeof askForLeftPins> | undefined;
  /** Receives the reason if the board stays in its bootloader, after a hash or its failure. */
  readonly onRestartFailed: (error: unknown) => void;
}

export interface HashedFlash extends FlashHash {
  readonly mac: string | null;
}

/**
 * Hashes the flash. Closes the port in any case. After a failure the board is reset into its own program.
 * @throws EspError
 */
export async function hashFlash(device: SerialPort, options: HashFlash): Promise<HashedFlash> {
  const { clock, signal, baudRate, byHand, expectedMac, returned, restart, earlier, beforeReset, onRestartFailed } =
    options;
  // If a person has put the board into its bootloader, no control line can bring it back.
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
      await board.restart().catch(onRestartFailed);
    }
    await board.close();
  }
}
