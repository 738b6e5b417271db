/** What a register held, of the board or of a device on its bus. */
export interface ReadWord {
  readonly now: number;
  /** What was read the time before; null at the first time. */
  readonly before: number | null;
}
