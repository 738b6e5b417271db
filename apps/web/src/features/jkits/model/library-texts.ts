/** What the library says (docs/behaviour.md, "JKits"). The texts of the rules are in the contract. */

import type { Jkit } from '@wirebench/contract';

export const loginRequired = 'Please login to use jkits';

/** What is done with a jkit; each is confirmed, and its success is reported. */
export type JkitAct = 'save' | 'load' | 'update' | 'share' | 'unshare' | 'delete' | 'star' | 'unstar' | 'rate';

/** Said when it is done, with the jkit's name before it. */
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

/** Comes before ' failed: …'. */
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

/** Queries that find something on the first day: each is in the jkits that come with the product. */
export const suggestedQueries = {
  uart: ['AT', 'GRBL', 'Marlin', 'NMEA', 'ESP-AT', 'MicroPython', 'Modbus', 'demo'],
  chip: ['BME280', '0x68', 'Sensors', 'Displays', 'Motor', 'Storage', 'RTC', 'Audio'],
} as const satisfies Record<Jkit['type'], readonly string[]>;

export const countText = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
