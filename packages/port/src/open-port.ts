/**
 * Opens a device: buffer size, control lines, classified failures, and an abort at any point that leaves the device
 * closed.
 */
import type { Clock } from '@wirebench/clock';
import { type ControlLines, linesOff, linesRaised, setControlLines } from './control-lines.ts';
import { errorName } from './error-name.ts';
import { openErrorOf } from './open-failure.ts';
import type { PortSettings } from './port-settings.ts';
import { closeLimit, within } from './time-limit.ts';

/**
 * Buffer size in bytes. The browser's default of 255 bytes makes for tiny reads: 1.5 to 3.6 MB/s instead of 20 to 85
 * (Chromium 156).
 */
const READ_BUFFER_BYTES = 1 << 20;

/**
 * Pauses in milliseconds before a held port is tried again. A system frees a port a moment after a program or another
 * tab has closed it: `close()` resolves earlier in Chromium.
 */
const pauses = [50, 100, 200, 400];

export interface PortOpening<Result> {
  readonly device: SerialPort;
  readonly settings: PortSettings;
  readonly bufferSize?: number;
  /** Aborts the opening: the port is left closed, and the promise rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Work that must end before this device can be opened. */
  readonly after?: Promise<unknown> | null;
  /** Lines to set as soon as the port is open. Omitted: both stay raised, as the driver leaves them. */
  readonly lines?: ControlLines | undefined;
  /** Called with the current lines in the same turn in which it is certain that the port stays open. */
  readonly onOpen: (lines: ControlLines) => Result;
  /** Called when the lines could not be set. The port works without them, but a person should be informed. */
  readonly onLinesFailed?: (error: unknown) => void;
}

/**
 * Opens the device and returns the result of `onOpen`.
 *
 * @throws OpenError if the device does not open.
 * @throws The reason of `signal` after an abort.
 */
export async function openPort<Result>(clock: Clock, opening: PortOpening<Result>): Promise<Result> {
  const { device, settings, bufferSize = READ_BUFFER_BYTES, signal, after = null, onOpen } = opening;
  if (after !== null) {
    await within(clock, closeLimit, after);
  }
  signal?.throwIfAborted();
  await openPatiently(clock, device, { ...serialOptions(settings), bufferSize }, signal);
  const lines = signal?.aborted ? linesOff : await firstLines(opening);
  if (signal?.aborted) {
    await within(clock, closeLimit, device.close());
    signal.throwIfAborted();
  }
  return onOpen(lines);
}

const serialOptions = ({ baudRate, dataBits, stopBits, parity, flowControl }: PortSettings): SerialOptions => ({
  baudRate,
  dataBits,
  stopBits,
  parity,
  flowControl,
});

async function openPatiently(
  clock: Clock,
  device: SerialPort,
  options: SerialOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const pause of [...pauses, null]) {
    try {
      return await device.open(options);
    } catch (error) {
      const failure = openErrorOf(error, device);
      const isHeld = errorName(error) === 'NetworkError' && failure.code === 'busy';
      if (!isHeld || pause === null) {
        throw failure;
      }
      await clock.sleep(pause, signal);
    }
  }
}

async function firstLines({ device, lines, onLinesFailed }: PortOpening<unknown>): Promise<ControlLines> {
  if (lines === undefined) {
    return linesRaised;
  }
  try {
    await setControlLines(device, lines);
    return lines;
  } catch (error) {
    onLinesFailed?.(error);
    return linesOff;
  }
}
