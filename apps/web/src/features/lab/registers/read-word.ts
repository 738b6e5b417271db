/** Value of a register, of the board or of a device on its bus. */
export interface ReadWord {
  readonly now: number;
  /** Value of the previous read; null after the first read. */
  readonly before: number | null;
}
