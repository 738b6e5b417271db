/**
 * States of OTA data and the application that a bootloader starts with them: ESP-IDF, "Over The Air Updates", sections "OTA
 * Data Partition" and "App OTA State", and `bootloader_utility.c` (commit 1021229, 2026-07-23). Test vectors for everything
 * that predicts or simulates a start.
 */

/** Sequence number, state, and whether its checksum is right. Null: erased. */
export type VectorEntry = readonly [sequence: number, state: OtaStateName, isIntact: boolean] | null;

export const otaStateNumbers = { new: 0, pending: 1, valid: 2, invalid: 3, aborted: 4, undefined: 0xffffffff } as const;
export type OtaStateName = keyof typeof otaStateNumbers;

export interface BootVector {
  readonly when: string;
  readonly slots: number;
  readonly hasFactory: boolean;
  readonly entries: readonly [VectorEntry, VectorEntry];
  /** Application with rollback in the bootloader, and without: a slot, or the factory's. */
  readonly withRollback: number | 'factory';
  readonly without: number | 'factory';
}

const vector = (
  when: string,
  [slots, hasFactory]: readonly [number, boolean],
  entries: BootVector['entries'],
  withRollback: BootVector['withRollback'],
  without = withRollback,
): BootVector => ({ when, slots, hasFactory, entries, withRollback, without });

const valid = (sequence: number): VectorEntry => [sequence, 'valid', true];
const torn = (sequence: number): VectorEntry => [sequence, 'valid', false];

export const bootVectors: readonly BootVector[] = [
  vector('both entries are erased', [2, true], [null, null], 'factory'),
  vector('both entries are erased, without a factory app', [2, false], [null, null], 0),
  vector('the table has no slot', [0, true], [valid(2), null], 'factory'),
  vector('one entry is valid', [2, true], [valid(1), null], 0),
  vector('the higher number is first', [2, false], [valid(4), valid(3)], 1),
  vector('the higher number is second', [2, false], [valid(4), valid(5)], 0),
  vector(
    'the numbers are equal',
    [2, false],
    [
      [2, 'valid', true],
      [2, 'aborted', true],
    ],
    1,
  ),
  vector('numbers go on beyond the slots', [3, false], [valid(4), valid(3)], 0),
  vector('the number is 0', [2, false], [valid(0), null], 1),
  vector('the number is 0, with three slots', [3, false], [valid(0), null], 0),
  vector('the number is the highest', [3, false], [valid(0xfffffffe), null], 1),
  vector('a state without rollback', [2, true], [[2, 'undefined', true], null], 1),
  vector('the newer entry is damaged', [2, true], [valid(1), torn(2)], 0),
  vector('the only entry is damaged', [2, true], [torn(2), null], 'factory'),
  vector('the only entry is damaged, without a factory app', [2, false], [null, torn(2)], 0),
  vector('both entries are damaged, without a factory app', [2, false], [torn(1), torn(2)], 0),
  vector('the newer entry is invalid', [2, false], [valid(1), [2, 'invalid', true]], 0),
  vector('the newer entry is aborted', [2, false], [valid(1), [2, 'aborted', true]], 0),
  vector(
    'both entries are given up',
    [2, true],
    [
      [1, 'invalid', true],
      [2, 'aborted', true],
    ],
    'factory',
  ),
  vector(
    'both entries are given up, without a factory app',
    [2, false],
    [
      [2, 'invalid', true],
      [4, 'aborted', true],
    ],
    0,
  ),
  vector('an entry is damaged, and the other aborted', [2, false], [torn(2), [2, 'aborted', true]], 0),
  vector('the newer app is new', [2, false], [valid(1), [2, 'new', true]], 1),
  vector('the newer app is pending', [2, false], [valid(1), [2, 'pending', true]], 0, 1),
  vector('the only app is pending', [2, true], [null, [2, 'pending', true]], 'factory', 1),
  vector('the only app is pending, without a factory app', [2, false], [null, [2, 'pending', true]], 0, 1),
  vector(
    'both apps are pending',
    [2, false],
    [
      [1, 'pending', true],
      [2, 'pending', true],
    ],
    0,
    1,
  ),
  vector('a pending entry is damaged', [2, true], [valid(2), [3, 'pending', false]], 1),
];

/** Returns the number of an application's partition subtype (ESP-IDF, "Partition Tables"). */
export const appSubtype = (app: number | 'factory') => (app === 'factory' ? 0x00 : 0x10 + app);
