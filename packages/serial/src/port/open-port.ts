/** Opening a device: buffer, control lines, why it failed, and a way back at any point. Knows no states. */
import type { Clock } from '@wirebench/clock';
import type { PortSettings } from '../port-settings.ts';
import { type ControlLines, linesOff, linesRaised, setControlLines } from './control-lines.ts';
import { openErrorOf } from './open-failure.ts';
import { closeLimit, within } from './time-limit.ts';

/** The browser's default of 255 bytes is read in tiny pieces: 1.5 to 3.6 MB/s, not 20 to 85 (Chromium 156). */
const READ_BUFFER_BYTES = 1 << 20;

export interface PortOpening<Result> {
  readonly device: SerialPort;
  readonly settings: PortSettings;
  readonly bufferSize?: number;
  /** Aborts when nobody wants the port any more: it is left closed, and the promise rejects. */
  readonly signal?: AbortSignal | undefined;
  /** What has to end before this device can be opened. */
  readonly after?: Promise<unknown> | null;
  /** Set as soon as the port is open; left out: both stay raised, as the driver has them. */
  readonly lines?: ControlLines;
  /** Called in the same turn in which it is certain that the port stays open, with the lines as they are. */
  readonly onOpen: (lines: ControlLines) => Result;
  /** The port works without control lines, but a person should know. */
  readonly onLinesFailed?: (error: unknown) => void;
}

/**
 * Gives what `onOpen` gives.
 * @throws OpenError; the reason of `signal`.
 */
export async function openPort<Result>(clock: Clock, opening: PortOpening<Result>): Promise<Result> {
  const { device, settings, bufferSize = READ_BUFFER_BYTES, signal, after = null, onOpen } = opening;
  if (after !== null) {
    await within(clock, closeLimit, after);
  }
  signal?.throwIfAborted();
  const { baudRate, dataBits, stopBits, parity, flowControl } = settings;
  try {
    await device.open({ baudRate, dataBits, stopBits, parity, flowControl, bufferSize });
  } catch (error) {
    throw openErrorOf(error, device);
  }
  const lines = signal?.aborted ? linesOff : await firstLines(opening);
  if (signal?.aborted) {
    await within(clock, closeLimit, device.close());
    signal.throwIfAborted();
  }
  return onOpen(lines);
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
