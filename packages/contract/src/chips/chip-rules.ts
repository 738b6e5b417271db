/** Limits of chip descriptions (docs/behaviour.md, "Chip JKits"). Every list and every text of one has one. */

/** What a chip is for: the groups of the ESP32 bench. */
export const chipCategories = [
  'Power Management',
  'Sensors',
  'Displays',
  'Motor Control',
  'Audio',
  'Storage',
  'Custom ICs',
] as const;

/** Lengths in UTF-16 code units, times in microseconds unless the name says otherwise. */
export const chipLimits = {
  nameMaxLength: 48,
  textMaxLength: 240,
  /** Of names in formulas. */
  identifierMaxLength: 32,
  unitMaxLength: 12,
  addresses: 8,
  /** 7 bits; below and above them are the addresses that the I2C specification keeps to itself (UM10204, table 4). */
  lowestAddress: 0x08,
  highestAddress: 0x77,
  identification: 4,
  /** Values of one register beside the first by which a chip is recognised. */
  otherValues: 8,
  registers: 160,
  fields: 32,
  fieldValues: 64,
  calibration: 64,
  /** Writes that set the chip up. */
  init: 64,
  /** Bytes of one transfer, the address of a register included: what an ESP32 can send or receive in one go. */
  transferBytes: 31,
  delay: 1_000_000,
  /** All waits of a set-up together. */
  initDelay: 5_000_000,
  values: 96,
  readings: 24,
  /** Milliseconds between two reading cycles. */
  shortestInterval: 10,
  longestInterval: 3_600_000,
  formulaMaxLength: 400,
  /** Numbers, names and operations of one formula. */
  formulaNodes: 160,
  formulaDepth: 24,
  decimals: 9,
  /** As many faults of a description are reported. */
  faults: 12,
} as const;
