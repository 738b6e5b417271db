/** Opening a device for a session: buffer, control lines, and a way back at any point. Knows no states. */
import type { Clock } from '@wirebench/clock';
import { type ControlLines, linesAtConnect, linesOff, setControlLines } from './control-lines.ts';
import type { PortSettings } from './port-settings.ts';
import { within } from './within.ts';

/** The browser's default of 255 bytes is read in tiny pieces: 1.5 to 3.6 MB/s, not 20 to 85 (Chromium 156). */
const READ_BUFFER_BYTES = 1 << 20;
/** Longest wait for a system that is asked to let go of a port, in milliseconds. */
export const closeLimit = 5_000;

export interface PortOpening {
  readonly device: SerialPort;
  readonly settings: PortSettings;
  /** Aborts when nobody wants the port any more: it is left closed, and the promise rejects. */
  readonly signal: AbortSignal;
  /** Called in the same turn in which it is certain that the port stays open. */
  readonly onOpen: (lines: ControlLines) => void;
  /** The port works without control lines, but a person should know. */
  readonly onLinesFailed: (error: unknown) => void;
}

/** @param after what must end before this device can be opened. Rejects with what the system says. */
export async function openPort(clock: Clock, opening: PortOpening, after: Promise<unknown> | null): Promise<void> {
  const { device, settings, signal, onOpen } = opening;
  if (after !== null) {
    await within(clock, closeLimit, after);
  }
  signal.throwIfAborted();
  const { baudRate, dataBits, stopBits, parity, flowControl } = settings;
  await device.open({ baudRate, dataBits, stopBits, parity, flowControl, bufferSize: READ_BUFFER_BYTES });
  const lines = signal.aborted ? linesOff : await raiseLines(opening);
  if (signal.aborted) {
    await within(clock, closeLimit, device.close());
    signal.throwIfAborted();
  }
  onOpen(lines);
}

async function raiseLines({ device, onLinesFailed }: PortOpening): Promise<ControlLines> {
  try {
    await setControlLines(device, linesAtConnect);
    return linesAtConnect;
  } catch (error) {
    onLinesFailed(error);
    return linesOff;
  }
}
