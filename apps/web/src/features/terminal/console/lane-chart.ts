/**
 * Draws a lane: a grid line every ten seconds and a bar for each bin. Size and colours come from the element. They
 * are read only on change, because reading them forces a layout.
 */
import { watchSize, watchTheme } from '../../../shared/ui/watch-look.ts';

/** Grid intervals of ten seconds in one minute. */
const tenSeconds = 6;

export class LaneChart {
  readonly #canvas: HTMLCanvasElement;
  readonly #divisions: number;
  readonly #endings: readonly (() => void)[];
  #bytes: Readonly<Float64Array> = new Float64Array();
  #width = 0;
  #height = 0;
  #colours = { line: '', bar: '' };

  /** @param divisions Intervals between the grid lines. 0: no grid lines. */
  constructor(canvas: HTMLCanvasElement, divisions = tenSeconds) {
    this.#canvas = canvas;
    this.#divisions = divisions;
    this.#look();
    const changed = () => {
      this.#look();
      this.show(this.#bytes);
    };
    this.#endings = [watchSize(canvas, changed), watchTheme(changed)];
  }

  /**
   * Draws the bars. The largest value reaches the upper edge.
   *
   * @param bytes Bytes in each bin, oldest first.
   */
  show(bytes: Readonly<Float64Array>): void {
    this.#bytes = bytes;
    const width = this.#width;
    const height = this.#height;
    const context = this.#canvas.getContext('2d');
    if (context === null || width === 0) {
      return;
    }
    context.clearRect(0, 0, width, height);
    context.fillStyle = this.#colours.line;
    for (let line = 0; this.#divisions > 0 && line <= this.#divisions; line++) {
      context.fillRect(Math.min(width - 1, Math.round((line * width) / this.#divisions)), 0, 1, height);
    }
    context.fillStyle = this.#colours.bar;
    const most = Math.max(1, ...bytes);
    const step = width / bytes.length;
    for (const [index, amount] of bytes.entries()) {
      if (amount > 0) {
        const bar = Math.max(2, (amount / most) * (height - 4));
        context.fillRect(index * step, height - bar, Math.max(1, step - 1), bar);
      }
    }
  }

  dispose(): void {
    for (const end of this.#endings) {
      end();
    }
  }

  #look(): void {
    const canvas = this.#canvas;
    this.#width = canvas.clientWidth;
    this.#height = canvas.clientHeight;
    const { color, outlineColor } = getComputedStyle(canvas);
    this.#colours = { line: outlineColor, bar: color };
    const scale = window.devicePixelRatio;
    canvas.width = Math.round(this.#width * scale);
    canvas.height = Math.round(this.#height * scale);
    canvas.getContext('2d')?.scale(scale, scale);
  }
}
