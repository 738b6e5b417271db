/** Settings that a user can choose before a flash. */
import type { LineEnding } from '@wirebench/serial';
import type { OwnSettings } from '../../../workbench/families.ts';
import type { PageFamily } from '../page-family.ts';

export interface WriteSettings {
  /** Rate to flash at, in baud. */
  readonly baudRate: number;
  /** Settings that only this family has. */
  readonly own: OwnSettings;
  /** Rate of the monitor, in baud. */
  readonly monitorBaudRate: number;
  /** Line ending that the monitor appends to a message. */
  readonly lineEnding: LineEnding;
  /** Act after a write: a restart with the monitor, a restart alone, or none. */
  readonly afterWrite: 'monitor' | 'restart' | 'bootloader';
}

export function firstSettings({ baudRate, settings, monitorBaudRate = 115_200 }: PageFamily): WriteSettings {
  return { baudRate, own: settings, monitorBaudRate, lineEnding: 'lf', afterWrite: 'monitor' };
}
