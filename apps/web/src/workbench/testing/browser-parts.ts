/** Browser APIs that the simulated document lacks and that pages with a console or a board need. */
import { Blob, File } from 'node:buffer';
import { webcrypto } from 'node:crypto';
import * as streams from 'node:stream/web';
import { vi } from 'vitest';

/** Size of every element in px, because the document has no layout. A console of this height shows thirty rows. */
const size = { width: 900, height: 600 };

/** Reports each element once at first, as a browser does. Reports no later changes. */
class FirstSize {
  readonly #tell: ResizeObserverCallback;
  #over = false;

  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell;
  }

  observe(target: Element): void {
    const contentRect = new DOMRect(0, 0, size.width, size.height);
    const box = [{ inlineSize: size.width, blockSize: size.height }];
    const sizes = { borderBoxSize: box, contentBoxSize: box, devicePixelContentBoxSize: box };
    queueMicrotask(() => {
      if (!this.#over) {
        this.#tell([{ target, contentRect, ...sizes }], this);
      }
    });
  }

  unobserve = () => undefined;

  disconnect(): void {
    this.#over = true;
  }
}

class NoObserver {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
}

/** Canvas API that accepts all calls and draws nothing. */
const noDrawing: object = new Proxy(() => undefined, {
  get: () => noDrawing,
  set: () => true,
  apply: () => noDrawing,
});

const black = 255;

const blackImage = (width: number, height: number) => ({ data: new Uint8ClampedArray(width * height * 4).fill(black) });

const canvasAnswers: object = {
  measureText: (text: string) => ({ width: text.length }),
  createImageData: blackImage,
  getImageData: (_x: number, _y: number, width: number, height: number) => blackImage(width, height),
};

/** Returns a canvas context that draws nothing and whose pixels are all black. */
function blackContext(this: HTMLCanvasElement): object {
  const known = { ...canvasAnswers, canvas: this };
  return new Proxy(known, { get: (_, name): unknown => Reflect.get(known, name) ?? noDrawing });
}

const rectOf = Element.prototype.getBoundingClientRect;

/**
 * Places the handles between panes far from the corner that holds everything else. They would otherwise capture every
 * press.
 */
function placeOf(this: Element): DOMRect {
  return this.matches('[data-separator]') ? new DOMRect(0, -1_000, 0, 0) : rectOf.call(this);
}

export interface BrowserOptions {
  /** Returns true for media queries that match. Default: no query matches. */
  readonly media?: (query: string) => boolean;
}

/**
 * Adds the APIs. Call it before a page is imported. `vi.unstubAllGlobals()` removes them, except sizes, fonts and
 * ports.
 */
export function addBrowserParts({ media = () => false }: BrowserOptions = {}): void {
  const parts = {
    ...streams,
    Blob,
    File,
    crypto: webcrypto,
    isSecureContext: true,
    ResizeObserver: FirstSize,
    IntersectionObserver: NoObserver,
    Path2D: function Path2D() {
      return noDrawing;
    },
    matchMedia: (query: string) => Object.assign(new EventTarget(), { matches: media(query), media: query }),
  };
  for (const [name, part] of Object.entries(parts)) {
    vi.stubGlobal(name, part);
  }
  const fonts = Object.assign(new EventTarget(), { ready: Promise.resolve(), load: async () => [] });
  Object.defineProperty(document, 'fonts', { configurable: true, value: fonts });
  // Web Serial of a user who has granted no port and closes the dialog without a choice.
  const serial = Object.assign(new EventTarget(), {
    getPorts: async () => [],
    requestPort: () => Promise.reject(new DOMException('No port selected by the user.', 'NotFoundError')),
  });
  Object.defineProperty(navigator, 'serial', { configurable: true, value: serial });
  Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', { configurable: true, value: blackContext });
  Object.defineProperties(HTMLElement.prototype, {
    clientHeight: { configurable: true, value: size.height },
    clientWidth: { configurable: true, value: size.width },
    checkVisibility: { configurable: true, value: () => true },
    scrollIntoView: { configurable: true, writable: true, value: () => undefined },
    getClientRects: { configurable: true, value: () => [new DOMRect()] },
    getBoundingClientRect: { configurable: true, value: placeOf },
  });
}
