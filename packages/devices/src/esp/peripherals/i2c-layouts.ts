/** Differences between the I2C controllers of ESP32 and ESP32-C3. Sources: i2c.ts. */
type Operation = 'start' | 'write' | 'read' | 'stop' | 'end';

export interface I2cLayout {
  readonly operations: ReadonlyMap<number, Operation>;
  readonly slots: number;
  readonly sclSignal: number;
  readonly sdaSignal: number;
  /** Bit of CTR that applies the settings; null: they apply at once. */
  readonly takeOver: number | null;
  /** Register that selects and divides the clock; null: none. */
  readonly clockRegister: number | null;
  /** Cycles that the hardware adds to a period in the registers. */
  readonly extraCycle: number;
  /** Returns the cycles until the controller abandons a blocked bus, for a value of the TO register; null: never. */
  timeout(register: number): number | null;
}

export const esp32I2c: I2cLayout = {
  operations: new Map([
    [0, 'start'],
    [1, 'write'],
    [2, 'read'],
    [3, 'stop'],
    [4, 'end'],
  ]),
  slots: 16,
  sclSignal: 29,
  sdaSignal: 30,
  takeOver: null,
  clockRegister: null,
  extraCycle: 0,
  timeout: (register) => register & 0xfffff,
};

export const esp32c3I2c: I2cLayout = {
  operations: new Map([
    [6, 'start'],
    [1, 'write'],
    [3, 'read'],
    [2, 'stop'],
    [4, 'end'],
  ]),
  slots: 8,
  sclSignal: 53,
  sdaSignal: 54,
  takeOver: 11,
  clockRegister: 0x54,
  extraCycle: 1,
  timeout: (register) => ((register & 0x20) === 0 ? null : 2 ** (register & 0x1f)),
};
