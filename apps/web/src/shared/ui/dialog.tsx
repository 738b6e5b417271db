import { useState } from 'react';
import type { DialogProps } from './dialog-popup.tsx';
import { openerOf } from './focus-return.ts';
import { useLoaded } from './use-loaded.ts';

const loadPopup = () => import('./dialog-popup.tsx');

/** A modal dialog: Escape and a click outside close it, and the focus goes back to where it was, or as near as there is something. */
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

/** An element and what it is in, up to the page's main part. */
function placesOf(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element === document.body) {
    return [];
  }
  return element.tagName === 'MAIN' ? [element] : [element, ...placesOf(element.parentElement)];
}
