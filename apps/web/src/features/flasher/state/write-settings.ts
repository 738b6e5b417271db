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
  /** True: open the monitor after a flash. */
  readonly monitorAfter: boolean;
}

export function firstSettings({ baudRate, settings, monitorBaudRate = 115_200 }: PageFamily): WriteSettings {
  return { baudRate, own: settings, monitorBaudRate, lineEnding: 'lf', monitorAfter: true };
}
