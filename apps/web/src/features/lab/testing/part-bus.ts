/** Simulated parts on a bus without a board. Carries out the host's `transferAll` on them, byte by byte. */
import type { BusTransfer } from '../../../protocol/bus-transfers.ts';

/** A part of the breadboard. */
interface Part {
  readonly address: number;
  select(reading: boolean, time: number): boolean;
  write(byte: number, time: number): boolean;
  read(time: number): number;
  stop?(time: number): void;
}

export interface PartBus {
  /** Parts that are plugged in. */
  readonly parts: Set<Part>;
  readonly transferAll: (transfers: readonly BusTransfer[]) => Uint8Array[];
}

/** @param now Time of the parts in milliseconds. */
export function partBus(parts: readonly Part[], now: () => number = () => 0): PartBus {
  const plugged = new Set(parts);
  const carryOut = ({ address, write, read }: BusTransfer): Uint8Array => {
    const part = [...plugged].find((one) => one.address === address);
    if (part === undefined) {
      throw new Error(`0x${address.toString(16)}: no acknowledge.`);
    }
    const time = now();
    if (write.length > 0 || read === 0) {
      part.select(false, time);
      for (const byte of write) {
        part.write(byte, time);
      }
    }
    if (read > 0) {
      part.select(true, time);
    }
    const bytes = Uint8Array.from({ length: read }, () => part.read(time));
    part.stop?.(time);
    return bytes;
  };
  return { parts: plugged, transferAll: (transfers) => transfers.map(carryOut) };
}
