/** How files are written: what a person may choose before a flash. */
import type { LineEnding } from '@wirebench/serial';
import type { OwnSettings } from '../families.ts';
import type { PageFamily } from '../page-family.ts';

export interface WriteSettings {
  /** Rate to flash at, in baud. */
  readonly baudRate: number;
  /** What only this family has. */
  readonly own: OwnSettings;
  /** Of the monitor, in baud. */
  readonly monitorBaudRate: number;
  /** What the monitor puts behind a message. */
  readonly lineEnding: LineEnding;
  /** Open the monitor when a flash is done. */
  readonly monitorAfter: boolean;
}

export function firstSettings({ baudRate, settings }: PageFamily): WriteSettings {
  return { baudRate, own: settings, monitorBaudRate: 115_200, lineEnding: 'lf', monitorAfter: true };
}
