/** Requests at most one picture of the plot per animation frame, and only after a change. */
import type { PlotPicture, PlotView } from '../../../../protocol/bench-protocol.ts';

export interface PlotLoopParts {
  /** Returns the view to request now. */
  readonly view: () => PlotView;
  readonly pull: (view: PlotView) => Promise<PlotPicture | null>;
  /** @param view View of the request. It may differ from the current one. */
  readonly onPicture: (picture: PlotPicture, view: PlotView) => void;
}

export class PlotLoop {
  readonly #parts: PlotLoopParts;
  #frame = 0;
  #pulling = false;
  #stale = false;
  #ended = false;

  constructor(parts: PlotLoopParts) {
    this.#parts = parts;
  }

  /** Requests a new picture. Only one request is pending at a time, so that a busy bench gets no queue. */
  invalidate(): void {
    this.#stale = true;
    if (!this.#pulling && !this.#ended) {
      this.#frame ||= requestAnimationFrame(() => {
        this.#frame = 0;
        void this.#pull();
      });
    }
  }

  end(): void {
    this.#ended = true;
    cancelAnimationFrame(this.#frame);
  }

  async #pull(): Promise<void> {
    this.#stale = false;
    this.#pulling = true;
    try {
      const view = this.#parts.view();
      const picture = await this.#parts.pull(view);
      if (picture !== null && !this.#ended) {
        this.#parts.onPicture(picture, view);
      }
    } finally {
      this.#pulling = false;
    }
    if (this.#stale) {
      this.invalidate();
    }
  }
}
