/** The work that runs in the dialog. At most one runs: the next one cancels it. */
export class CurrentWork {
  #work = new AbortController();

  /** Cancels the current work and begins another one. Returns its signal. */
  begin(): AbortSignal {
    this.#work.abort();
    this.#work = new AbortController();
    return this.#work.signal;
  }

  cancel(): void {
    this.#work.abort();
  }
}
