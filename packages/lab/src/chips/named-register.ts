/** Registers by name, with their fields: what the register view shows. */

export interface RegisterField {
  readonly name: string;
  /** Lowest bit. */
  readonly from: number;
  /** Number of bits. */
  readonly bits: number;
}

export interface NamedRegister {
  readonly name: string;
  readonly address: number;
  readonly fields: readonly RegisterField[];
  /** Reading takes something away: never read without being asked. */
  readonly readTakes?: true;
  /** A write does something and keeps nothing. */
  readonly writeOnly?: true;
}

export interface RegisterGroup {
  /** Such as `GPIO` or `I2C0`. */
  readonly name: string;
  readonly registers: readonly NamedRegister[];
}
