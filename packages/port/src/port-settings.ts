/** Settings of a serial port: the values that a person can choose, and the defaults. */

import type { LinesAtOpen } from './control-lines.ts';

/** Offered baud rates. Any other rate from 1 baud on can be typed. */
export const baudRates = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600] as const;

export interface PortSettings {
  /** Symbols per second on the wire, 1 to 2³² − 1. */
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: ParityType;
  readonly flowControl: FlowControlType;
  /** Control lines when the port opens. Default: DTR on, RTS off. */
  readonly linesAtOpen?: LinesAtOpen;
}

export const defaultPortSettings: PortSettings = {
  baudRate: 115_200,
  dataBits: 8,
  stopBits: 1,
  parity: 'none',
  flowControl: 'none',
};

/** Formats the settings in the usual short form: `115200 8N1`. */
export function describePortSettings(settings: PortSettings): string {
  return `${settings.baudRate} ${settings.dataBits}${settings.parity.charAt(0).toUpperCase()}${settings.stopBits}`;
}

/**
 * Returns how long `bytes` bytes occupy the wire, in milliseconds: start bit, data bits, parity bit and stop bits of
 * each.
 */
export function wireTime(settings: PortSettings, bytes: number): number {
  const bitsPerByte = 1 + settings.dataBits + (settings.parity === 'none' ? 0 : 1) + settings.stopBits;
  return (bytes * bitsPerByte * 1_000) / settings.baudRate;
}
