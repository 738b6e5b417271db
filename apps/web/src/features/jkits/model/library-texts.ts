/** Texts of the library (docs/behaviour.md, "JKits"). Texts about the rules are in `packages/contract`. */

import type { Jkit } from '@wirebench/contract';

export const loginRequired = 'Please login to use jkits';

/** Actions on a JKit. Each is confirmed by the user, and its success is reported. */
export type JkitAct = 'save' | 'load' | 'update' | 'share' | 'unshare' | 'delete' | 'star' | 'unstar' | 'rate';

/** Verbs of the success texts, after the JKit's name. */
const doneWord = {
  save: 'saved',
  load: 'loaded',
  update: 'updated',
  share: 'shared',
  unshare: 'unshared',
  delete: 'deleted',
  star: 'starred',
  unstar: 'unstarred',
  rate: 'rated',
} satisfies Record<JkitAct, string>;

export const doneText = (act: JkitAct, name: string): string => `${name} ${doneWord[act]}`;

/** Subjects of the error texts: precede ' failed: …'. */
export const operationName = {
  save: 'Save JKit',
  load: 'Load JKit',
  update: 'Update JKit',
  share: 'Share JKit',
  unshare: 'Unshare JKit',
  delete: 'Delete JKit',
  star: 'Star JKit',
  unstar: 'Unstar JKit',
  rate: 'Rate JKit',
} satisfies Record<JkitAct, string>;

/** Suggested searches. Each finds JKits that are delivered with the product. */
export const suggestedQueries = {
  uart: ['AT', 'GRBL', 'Marlin', 'NMEA', 'ESP-AT', 'MicroPython', 'Arduino', 'Modbus', 'demo'],
  decoder: ['Modbus', 'NMEA', 'UBX', 'CAN', 'MAVLink', 'DMX512', 'AT', 'COBS'],
  chip: ['BME280', '0x68', 'Sensors', 'Displays', 'Motor', 'Storage', 'RTC', 'Audio'],
} as const satisfies Record<Jkit['type'], readonly string[]>;
