/**
 * Keeps the item that is being dragged. Browsers reveal drag data only on drop, but drop targets need it during
 * dragover.
 */
import type { DragEvent } from 'react';

export type Dragged =
  | { readonly kind: 'panel'; readonly panelId: string }
  | { readonly kind: 'message'; readonly panelId: string; readonly messageId: string };

let dragged: Dragged | null = null;

export function startDrag(event: DragEvent, what: Dragged, text: string): void {
  event.stopPropagation();
  dragged = what;
  event.dataTransfer.setData('text/plain', text);
  event.dataTransfer.effectAllowed = what.kind === 'panel' ? 'move' : 'copyMove';
}

export function endDrag(): void {
  dragged = null;
}

export const draggedNow = (): Dragged | null => dragged;

/** Returns true if the drag copies (Ctrl, or Option on a Mac). */
export const dragCopies = (event: DragEvent): boolean => event.ctrlKey || event.altKey;

/** Returns true if the drag carries files from outside the page. */
export const holdsFiles = (event: DragEvent): boolean => dragged === null && event.dataTransfer.types.includes('Files');

/**
 * Returns the index in `elements` before which an item dropped at `y` is inserted. The end is `elements.length`.
 *
 * @param y Pointer position in the viewport, in CSS pixels.
 */
export function dropIndex(elements: readonly Element[], y: number): number {
  const index = elements.findIndex((element) => {
    const { top, height } = element.getBoundingClientRect();
    return y < top + height / 2;
  });
  return index === -1 ? elements.length : index;
}
