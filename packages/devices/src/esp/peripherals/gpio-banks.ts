/**
 * OUT, ENABLE and IN of the GPIO registers, and the registers that set and clear bits of OUT and ENABLE (sources:
 * pin-layouts.ts).
 */

export interface Bank {
  readonly what: 'out' | 'enable' | 'in';
  readonly how: 'plain' | 'set' | 'clear';
  readonly upper: 0 | 1;
}

/**
 * Banks by offset from the start of the GPIO registers. Both chips share them, but the ESP32-C3 lacks the upper pins.
 */
export const banks: ReadonlyMap<number, Bank> = new Map<number, Bank>([
  [0x04, { what: 'out', how: 'plain', upper: 0 }],
  [0x08, { what: 'out', how: 'set', upper: 0 }],
  [0x0c, { what: 'out', how: 'clear', upper: 0 }],
  [0x10, { what: 'out', how: 'plain', upper: 1 }],
  [0x14, { what: 'out', how: 'set', upper: 1 }],
  [0x18, { what: 'out', how: 'clear', upper: 1 }],
  [0x20, { what: 'enable', how: 'plain', upper: 0 }],
  [0x24, { what: 'enable', how: 'set', upper: 0 }],
  [0x28, { what: 'enable', how: 'clear', upper: 0 }],
  [0x2c, { what: 'enable', how: 'plain', upper: 1 }],
  [0x30, { what: 'enable', how: 'set', upper: 1 }],
  [0x34, { what: 'enable', how: 'clear', upper: 1 }],
  [0x3c, { what: 'in', how: 'plain', upper: 0 }],
  [0x40, { what: 'in', how: 'plain', upper: 1 }],
]);
