/**
 * Schedules the console's requests for rows. They are sent in animation frames, one at a time, and only after a
 * change. Requests that the user waits for are sent at once, others after a rest.
 */
export interface PullOutcome {
  /** Time after the request before the next non-urgent one, in milliseconds. */
  readonly rest: number;
  /** True: the answer is incomplete, request again. */
  readonly again: boolean;
}

export interface FramePullsParts {
  /** Positions the current rows. Called in each requested frame. */
  readonly place: () => void;
  readonly pull: () => Promise<PullOutcome>;
  /** Returns true while the current rows must not be replaced. */
  readonly held: () => boolean;
}

export class FramePulls {
  readonly #parts: FramePullsParts;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stale = true;
  #urgent = true;
  #pulling = false;
  #nextAt = 0;
  /** True: the last answer asked for a rest. */
  #rested = false;
  #disposed = false;

  constructor(parts: FramePullsParts) {
    this.#parts = parts;
  }

  /** Reports a change. */
  invalidate(): void {
    this.#stale = true;
    // After a rest, sends the request at once instead of in the next frame. Its answer then arrives in time for that
    // frame.
    if (this.#rested && !this.#urgent && !this.#pulling && performance.now() >= this.#nextAt) {
      this.#pullWhenDue();
      return;
    }
    if (this.#timer === undefined || this.#urgent) {
      this.requestFrame();
    }
  }

  /** Reports a change that the user waits for: a scroll, or a new size or layout. */
  want(): void {
    this.#urgent = true;
    this.invalidate();
  }

  requestFrame(): void {
    if (this.#disposed) {
      return;
    }
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#parts.place();
      this.#pullWhenDue();
    });
  }

  dispose(): void {
    this.#disposed = true;
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
  }

  #pullWhenDue(): void {
    if (!this.#stale || this.#pulling || this.#parts.held()) {
      return;
    }
    const early = this.#nextAt - performance.now();
    if (this.#urgent || early <= 0) {
      void this.#pull();
    } else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.requestFrame();
      }, early);
    }
  }

  /** Sends one request at a time, so that a busy bench gets no queue. */
  async #pull(): Promise<void> {
    this.#pulling = true;
    this.#stale = false;
    this.#urgent = false;
    const asked = performance.now();
    try {
      const { rest, again } = await this.#parts.pull();
      this.#nextAt = asked + rest;
      this.#rested = rest > 0;
      this.#stale ||= again;
    } catch (error) {
      // The bench has stopped. Keep the rows on the screen.
      console.warn('Nothing new can be shown.', error);
    } finally {
      this.#pulling = false;
    }
    if (this.#stale) {
      this.requestFrame();
    }
  }
}
