/** The line of a log that says with which settings a port was connected. */
import { type PortSettings, wireTime } from '@wirebench/port';

const parities: Readonly<Record<string, ParityType>> = { N: 'none', E: 'even', O: 'odd' };

/**
 * Reads `Port 1 connected (9600 8E1)`, the notice `connected` of a session.
 *
 * @returns the port, and the time of one byte on its line in ms; null for any other text.
 */
export function connectedLine(text: string): { readonly port: string; readonly byteTime: number } | null {
  const [, port, baudRate = '', dataBits, parity = '', stopBits] =
    /^(.+) connected \(([1-9]\d{0,9}) ([78])([NEO])([12])\)$/.exec(text) ?? [];
  if (port === undefined) {
    return null;
  }
  const settings: PortSettings = {
    baudRate: Number(baudRate),
    dataBits: dataBits === '7' ? 7 : 8,
    stopBits: stopBits === '2' ? 2 : 1,
    parity: parities[parity] ?? 'none',
    flowControl: 'none',
  };
  return { port, byteTime: wireTime(settings, 1) };
}
