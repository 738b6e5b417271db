/** A device without a wire, as the link that a client reads and writes. */
import type { Clock } from '@wirebench/clock';
import type { Device } from '@wirebench/devices';
import type { ByteLink } from '../../transfer/byte-link.ts';

export interface BoardLink extends ByteLink {
  /** All bytes that were written. */
  readonly written: number;
  /** Takes the text that the device printed and no client has read. */
  takeAll(): string;
  /** Closes the link after this many more bytes to the device. */
  cutAfter(bytes: number): void;
}

/** @param pieces Longest pieces in which the device's bytes are read. Default: unlimited. */
export function boardLink(device: Device, clock: Clock, pieces = Number.POSITIVE_INFINITY): BoardLink {
  const printed: number[] = [];
  let written = 0;
  let left = Number.POSITIVE_INFINITY;
  let wake: (() => void) | null = null;
  device.attach({
    clock,
    pending: 0,
    write: (bytes) => {
      printed.push(...bytes);
      wake?.();
    },
    sendBreak: () => undefined,
    setInputs: () => undefined,
  });
  const closed = () => new DOMException('The port was closed.', 'NetworkError');
  return {
    get written() {
      return written;
    },
    takeAll: () => new TextDecoder().decode(Uint8Array.from(printed.splice(0))),
    cutAfter: (bytes) => {
      left = bytes;
    },
    read: async (signal) => {
      for (;;) {
        signal.throwIfAborted();
        if (printed.length > 0) {
          return Uint8Array.from(printed.splice(0, Math.min(printed.length, pieces)));
        }
        if (left === 0) {
          throw closed();
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        wake = null;
      }
    },
    write: async (bytes) => {
      const whole = bytes.subarray(0, left);
      left -= whole.length;
      written += whole.length;
      device.receive(whole);
      if (left === 0) {
        wake?.();
        throw closed();
      }
    },
  };
}
