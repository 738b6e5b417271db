/** Canvases on which nothing is drawn, and whose points are all black: for what only has to be put on one, or read back from it. */
import { vi } from 'vitest';

const black = 255;

const image = (width: number, height: number) => ({ data: new Uint8ClampedArray(width * height * 4).fill(black) });

const answers: object = {
  measureText: (text: string) => ({ width: text.length }),
  createImageData: image,
  getImageData: (_x: number, _y: number, width: number, height: number) => image(width, height),
};

/** Does nothing, whatever is asked of it. */
const idle = (known: object) =>
  new Proxy(known, { get: (held, name): unknown => Reflect.get(held, name) ?? (() => undefined) });

/** To be called in a test of a whole page before the page is opened. */
export function addBlackCanvases(): void {
  vi.stubGlobal('Path2D', function Path2D() {
    return idle({});
  });
  Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', {
    configurable: true,
    value(this: HTMLCanvasElement) {
      return idle({ ...answers, canvas: this });
    },
  });
}
