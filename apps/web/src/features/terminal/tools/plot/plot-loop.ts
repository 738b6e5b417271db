/** Requests pictures of the plot: at most one for each animation frame, and only after a change. */
import type { PlotPicture, PlotView } from '../../../../protocol/bench/plot-part.ts';

export interface PlotLoopParts {
  /** Returns the view to request now. */
  readonly view: () => PlotView;
  readonly pull: (view: PlotView) => Promise<PlotPicture | null>;
  /** @param view View of the request. It may differ from the current one. */
  readonly onPicture: (picture: PlotPicture, view: PlotView) => void;
}

/**
 * Time after the last changed picture for which each frame requests one, in milliseconds. Ticks come from another thread at their own
 * pace: a loop that waits for them misses a frame now and then.
 */
const hotTime = 200;

export class PlotLoop {
  readonly #parts: PlotLoopParts;
  #frame = 0;
  #pulling = false;
  #stale = false;
  #ended = false;
  #hotUntil = 0;
  #revision = -1;

  constructor(parts: PlotLoopParts) {
    this.#parts = parts;
  }

  /** Requests a new picture. Only one request is pending at a time, so that a busy bench gets no queue. */
  invalidate(): void {
    this.#stale = true;
    this.#want();
  }

  end(): void {
    this.#ended = true;
    cancelAnimationFrame(this.#frame);
  }

  #want(): void {
    if (!this.#pulling && !this.#ended) {
      this.#frame ||= requestAnimationFrame((now) => {
        this.#frame = 0;
        void this.#pull(now);
      });
    }
  }

  async #pull(now: number): Promise<void> {
    const isAsked = this.#stale;
    this.#stale = false;
    this.#pulling = true;
    try {
      const view = this.#parts.view();
      const picture = await this.#parts.pull(view);
      if (picture !== null && !this.#ended) {
        if (picture.revision !== this.#revision) {
          this.#revision = picture.revision;
          this.#hotUntil = view.from === null ? now + hotTime : 0;
        } else if (!isAsked) {
          return;
        }
        this.#parts.onPicture(picture, view);
      }
    } finally {
      this.#pulling = false;
      if (this.#stale || now < this.#hotUntil) {
        this.#want();
      }
    }
  }
}
