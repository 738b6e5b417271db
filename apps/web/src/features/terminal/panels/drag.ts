/** What is being dragged with the mouse: browsers tell a place only at the drop what comes, and it must show before. */
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

/** Ctrl (Option on a Mac) copies. */
export const dragCopies = (event: DragEvent): boolean => event.ctrlKey || event.altKey;

/** Whether files come from outside of the page. */
export const holdsFiles = (event: DragEvent): boolean => dragged === null && event.dataTransfer.types.includes('Files');

/** Before which of `elements` something dropped at `y` goes; their number for the end. */
export function dropIndex(elements: readonly Element[], y: number): number {
  const index = elements.findIndex((element) => {
    const { top, height } = element.getBoundingClientRect();
    return y < top + height / 2;
  });
  return index === -1 ? elements.length : index;
}
