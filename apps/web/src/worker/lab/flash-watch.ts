/** Compares flash before and after the bench by a hash of all of it, if the user has asked for that. */
import type { Clock } from '@wirebench/clock';
import { askForLeftPins, asLabError, labFailureText } from '@wirebench/lab';
import type { FlashCheck, FlashHash } from '../../protocol/flash-facts.ts';
import { labPort } from '../../protocol/lab-protocol.ts';
import { memoryText } from '../../shared/format/bytes.ts';
import type { PortDevices } from '../bench/port-devices.ts';
import type { BusLog } from './bus-log.ts';
import type { HashedFlash, HashFlash } from './flash-hash.ts';

type OnLeftPins = Parameters<typeof askForLeftPins>[0];

interface FlashWatchParts {
  readonly clock: Clock;
  readonly devices: PortDevices;
}

interface Hashing {
  readonly baudRate: number;
  readonly byHand: boolean;
  readonly mac?: string | undefined;
}

export class FlashWatch {
  readonly #parts: FlashWatchParts;
  readonly #log: BusLog;
  readonly #onChange: () => void;
  #check: FlashCheck | null = null;

  constructor({ clock, devices }: FlashWatchParts, { log, onChange }: { log: BusLog; onChange: () => void }) {
    this.#parts = { clock, devices };
    this.#log = log;
    this.#onChange = onChange;
  }

  get check(): FlashCheck | null {
    return this.#check;
  }

  /** True while the second hash is still to be made. */
  get isDue(): boolean {
    return this.#check !== null && this.#check.before !== null && this.#check.after === null;
  }

  forget(): void {
    this.#check = null;
  }

  /** Records the reason why no second hash will be made. */
  miss(failure: string): void {
    if (this.isDue) {
      this.#set({ failure });
    }
  }

  /**
   * Makes the first hash. Leaves the board in its bootloader.
   *
   * @throws LabError, or an Error with the flasher's sentence if the lab has no text for the failure.
   */
  async before(
    device: SerialPort,
    { signal, onLeftPins, ...hashing }: Hashing & { signal: AbortSignal; onLeftPins?: OnLeftPins | undefined },
  ): Promise<HashedFlash> {
    this.#check = { mac: null, before: null, after: null, reading: 'before', failure: null, notRestarted: null };
    this.#onChange();
    try {
      const beforeReset = onLeftPins && askForLeftPins(onLeftPins);
      const hashed = await this.#hash(device, { ...hashing, signal, restart: false, beforeReset });
      const { mac } = hashed;
      this.#set({ mac, before: hashed, reading: null });
      this.#log.read(`Flash before: ${hashText(hashed)}`);
      return hashed;
    } catch (error) {
      this.#check = null;
      throw labFailureOf(error, signal);
    } finally {
      this.#onChange();
    }
  }

  /**
   * Makes the second hash, of a board in its bootloader. Never rejects. Afterwards the board runs its own program,
   * and the port is closed.
   */
  async after(device: SerialPort, { signal, ...hashing }: Hashing & { signal: AbortSignal }): Promise<void> {
    this.#set({ reading: 'after' });
    try {
      const earlier = this.#check?.before?.md5;
      const after = await this.#hash(device, { ...hashing, signal, restart: true, earlier });
      const isSame = after.md5 === earlier;
      this.#set({ after, reading: null });
      this.#log.read(`Flash after: ${hashText(after)}, ${isSame ? 'unchanged' : 'CHANGED'}`);
    } catch (error) {
      const failure = signal.aborted
        ? 'The second hash was cancelled.'
        : `Flash could not be hashed again. ${labFailureOf(error).message}`;
      this.#set({ reading: null, failure });
      this.#log.notice('warning', failure);
    }
  }

  async #hash(
    device: SerialPort,
    { mac, ...how }: Hashing & Pick<HashFlash, 'signal' | 'restart' | 'earlier' | 'beforeReset'>,
  ): Promise<HashedFlash> {
    const { clock, devices } = this.#parts;
    const { hashFlash } = await import('./flash-hash.ts');
    const returned = devices.returning(labPort);
    const onRestartFailed = (error: unknown) => {
      // A board that was unplugged starts its own program with its supply.
      if (device.connected) {
        this.#notRestarted(error);
      }
    };
    return hashFlash(device, { ...how, expectedMac: mac, clock, returned, onRestartFailed });
  }

  #notRestarted(error: unknown): void {
    const notRestarted = `The board could not be restarted: ${labFailureOf(error).message} Press EN.`;
    this.#set({ notRestarted });
    this.#log.notice('warning', notRestarted);
  }

  #set(change: Partial<FlashCheck>): void {
    if (this.#check !== null) {
      this.#check = { ...this.#check, ...change };
      this.#onChange();
    }
  }
}

/** Converts a failure to a LabError. Codes without a text in the lab keep the flasher's error. */
function labFailureOf(error: unknown, signal?: AbortSignal): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof Error && !Object.hasOwn(labFailureText, code) && !signal?.aborted
    ? error
    : asLabError(error, signal);
}

const hashText = ({ md5, bytes, took }: FlashHash) =>
  `MD5 ${md5} of ${memoryText(bytes)}, ${(took / 1_000).toFixed(1)} s`;
