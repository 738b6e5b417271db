/** Limits of chip descriptions (docs/behaviour.md, "Chip JKits"). Every list and every text is limited. */

/** Categories of chips, which are the groups of the ESP32 bench. */
export const chipCategories = [
  'Power Management',
  'Sensors',
  'Displays',
  'Motor Control',
  'Audio',
  'Storage',
  'Custom ICs',
] as const;

/** Lengths in UTF-16 code units and times in microseconds, unless a comment says otherwise. */
export const chipLimits = {
  nameMaxLength: 48,
  textMaxLength: 240,
  /** Length of a name in formulas. */
  identifierMaxLength: 32,
  unitMaxLength: 12,
  addresses: 8,
  /** Range of 7-bit addresses. The I2C specification reserves those below and above (UM10204, table 4). */
  lowestAddress: 0x08,
  highestAddress: 0x77,
  identification: 4,
  /** Values of an identifying register in addition to the first. */
  otherValues: 8,
  registers: 160,
  fields: 32,
  fieldValues: 64,
  calibration: 64,
  /** Number of writes that set the chip up. */
  init: 64,
  /** Bytes of one transfer, including the register's address: the most that an ESP32 sends or receives at once. */
  transferBytes: 31,
  delay: 1_000_000,
  /** Sum of all waits of a set-up, in microseconds. */
  initDelay: 5_000_000,
  values: 96,
  readings: 24,
  /** Range of the interval between two reading cycles, in milliseconds. */
  shortestInterval: 10,
  longestInterval: 3_600_000,
  formulaMaxLength: 400,
  /** Numbers, names and operations of one formula together. */
  formulaNodes: 160,
  formulaDepth: 24,
  decimals: 9,
  /** Number of faults that are reported for one description. */
  faults: 12,
} as const;
