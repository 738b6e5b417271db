/**
 * When a console asks for its rows: on the page's own frame, one question at a time, at once where a person waits for the
 * answer and after a rest else. Nothing is asked for while nothing changes. Knows no rows and no elements.
 */
export interface PullOutcome {
  /** How long nothing new need be asked for unless a person waits for it, from the question on, in milliseconds. */
  readonly rest: number;
  /** Something is still missing. */
  readonly again: boolean;
}

export interface FramePullsParts {
  /** Brings what there is to its place, on each frame that was asked for. */
  readonly place: () => void;
  readonly pull: () => Promise<PullOutcome>;
  /** What is there must not be replaced now. */
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
  /** There was a rest after the last answer. */
  #rested = false;
  #disposed = false;

  constructor(parts: FramePullsParts) {
    this.#parts = parts;
  }

  /** Something has changed. */
  invalidate(): void {
    this.#stale = true;
    // What came with a tick after a rest is painted in the frame of that tick: its answer is there by then.
    if (this.#rested && !this.#urgent && !this.#pulling && performance.now() >= this.#nextAt) {
      this.#pullWhenDue();
      return;
    }
    if (this.#timer === undefined || this.#urgent) {
      this.requestFrame();
    }
  }

  /** The person waits for it: a scroll, a new size or layout. */
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

  /** One question at a time: a bench that is busy gets no queue of them. */
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
      // Whoever answers is gone: what is on the screen stays there.
      console.warn('Nothing new can be shown.', error);
    } finally {
      this.#pulling = false;
    }
    if (this.#stale) {
      this.requestFrame();
    }
  }
}
