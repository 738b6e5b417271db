/**
 * Tracks text selections that the user makes with the browser's own means. Rows must not be rewritten from
 * pointerdown on, before anything is selected: rewriting a text node removes the selection.
 */
export class TextSelecting {
  readonly #layer: Element;
  #pressed = false;

  /**
   * @param onSelected Called when the selection changes, including when it is cleared.
   * @param onReleased Called on pointerup: rows may change again.
   */
  constructor(layer: HTMLElement, onSelected: () => void, onReleased: () => void, signal: AbortSignal) {
    this.#layer = layer;
    document.addEventListener('selectionchange', onSelected, { signal });
    const press = ({ pointerType, button }: PointerEvent) => {
      this.#pressed = pointerType !== 'touch' && button === 0;
    };
    const release = () => {
      if (this.#pressed) {
        // Browsers fire `selectionchange` after pointerup, and rows could change in between.
        onSelected();
        this.#pressed = false;
        onReleased();
      }
    };
    layer.addEventListener('pointerdown', press, { signal });
    for (const end of ['pointerup', 'pointercancel', 'contextmenu', 'blur']) {
      window.addEventListener(end, release, { signal });
    }
  }

  /** True: the main button of a mouse or pen is down on the rows. */
  get pressed(): boolean {
    return this.#pressed;
  }

  /** The current selection in the rows, or null. */
  get selection(): Selection | null {
    return selectionIn(this.#layer);
  }
}

/** Returns the user's selection if it starts in `element` and is not empty, else null. */
export function selectionIn(element: Element): Selection | null {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode) ? selection : null;
}
