/** Asks for a picture of the plot once a frame, while there is another one to be had. Knows neither chart nor component. */
import type { PlotPicture, PlotView } from '../../../../workbench/bench-protocol.ts';

export interface PlotLoopParts {
  /** What to ask for, as it is now. */
  readonly view: () => PlotView;
  readonly pull: (view: PlotView) => Promise<PlotPicture | null>;
  /** @param view that it was asked for with, which may not be the one of now any more */
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

  /** There is something else to be seen. One question at a time: a bench that is busy gets no queue of them. */
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
