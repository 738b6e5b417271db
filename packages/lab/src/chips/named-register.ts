/** Registers with names and fields, for the register view. */

export interface RegisterField {
  readonly name: string;
  /** Lowest bit of the field. */
  readonly from: number;
  /** Number of bits. */
  readonly bits: number;
}

export interface NamedRegister {
  readonly name: string;
  readonly address: number;
  readonly fields: readonly RegisterField[];
  /** Present: reading changes the chip's state, so only an explicit request may read it. */
  readonly readTakes?: true;
  /** Present: a write triggers an action and stores nothing. */
  readonly writeOnly?: true;
}

export interface RegisterGroup {
  /** Such as `GPIO` or `I2C0`. */
  readonly name: string;
  readonly registers: readonly NamedRegister[];
}
