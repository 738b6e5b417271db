import { useState } from 'react';
import type { DialogProps } from './dialog-popup.tsx';
import { openerOf } from './focus-return.ts';
import { useLoaded } from './use-loaded.ts';

const loadPopup = () => import('./dialog-popup.tsx');

/**
 * A modal dialog. Escape and a click outside close it. The focus returns to the opener, or to the nearest remaining
 * element.
 */
export function Dialog(props: DialogProps) {
  const { open } = props;
  // Focused element at opening, noted before the popup takes the focus.
  const [opening, setOpening] = useState<{ open: boolean; places: readonly HTMLElement[] }>({
    open: false,
    places: [],
  });
  if (opening.open !== open) {
    setOpening({ open, places: open ? placesOf(openerOf(document.activeElement)) : opening.places });
  }
  const loaded = useLoaded(open, loadPopup, props.onClose);
  return loaded === null ? null : <loaded.DialogPopup {...props} places={opening.places} />;
}

/** Returns an element and its ancestors up to the page's main part. */
function placesOf(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element === document.body) {
    return [];
  }
  return element.tagName === 'MAIN' ? [element] : [element, ...placesOf(element.parentElement)];
}
