/**
 * Text that a person selects in the rows by the browser's own means. From the press of the button on, before anything is
 * selected, the rows have to stay what they are: text that is written anew is selected no more.
 */
export class TextSelecting {
  readonly #layer: Element;
  #pressed = false;

  /** @param onSelected something else is selected, perhaps nothing. @param onReleased rows may run on. */
  constructor(layer: HTMLElement, onSelected: () => void, onReleased: () => void, signal: AbortSignal) {
    this.#layer = layer;
    document.addEventListener('selectionchange', onSelected, { signal });
    const press = ({ pointerType, button }: PointerEvent) => {
      this.#pressed = pointerType !== 'touch' && button === 0;
    };
    const release = () => {
      if (this.#pressed) {
        // The browser tells of a selection later than of the button, and rows could come in between.
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

  /** The main button of a mouse or a pen is down on the rows. */
  get pressed(): boolean {
    return this.#pressed;
  }

  /** What is selected, if anything. */
  get selection(): Selection | null {
    return selectionIn(this.#layer);
  }
}

/** What the person has selected in `element`, if anything. */
export function selectionIn(element: Element): Selection | null {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode) ? selection : null;
}
