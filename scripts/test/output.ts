/** Where what a program says goes: at once, or behind what another one says that runs beside it. */

/** Takes text as it comes. */
export type Output = (text: string) => void;

export const atOnce: Output = (text) => {
  process.stdout.write(text);
};

/** Keeps what it is given until it is let go: the log of a run that is read from the top stays one story after the other. */
export class HeldOutput {
  #held: string[] | null = [];

  readonly write: Output = (text) => {
    if (this.#held === null) {
      atOnce(text);
    } else {
      this.#held.push(text);
    }
  };

  /** Says what was held; what comes from now on is said at once. */
  release(): void {
    atOnce((this.#held ?? []).join(''));
    this.#held = null;
  }
}
