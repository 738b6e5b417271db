import { type ReactNode, type RefObject, useState } from 'react';
import { useLoaded } from './use-loaded.ts';

export interface DialogProps {
  readonly open: boolean;
  /** Asked by Escape, by a click outside and by the close button. */
  readonly onClose: () => void;
  /** States the act: "Make weather-node private?". */
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** Buttons, the safe one first. Without it the dialog has a close button in its head. */
  readonly footer?: ReactNode;
  /** 400, 560 or 880 px wide at most. */
  readonly size?: 'sm' | 'md' | 'lg' | undefined;
  /** Where the focus goes first; otherwise to the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
}

const loadPopup = () => import('./dialog-popup.tsx');

/** A modal dialog: Escape and a click outside close it, and the focus goes back to where it was, or as near as there is something. */
export function Dialog(props: DialogProps) {
  const { open } = props;
  // What had the focus when it opened, told before the popup takes it.
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

/** An item of a menu goes with the menu, which may have the focus still: the button that opened the menu stays. */
function openerOf(element: Element | null): Element | null {
  return element?.closest('[role="menu"]')
    ? (document.querySelector('[aria-haspopup="menu"][aria-expanded="true"]') ?? element)
    : element;
}

/** An element and what it stands in, up to the page's main part. */
function placesOf(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element === document.body) {
    return [];
  }
  return element.tagName === 'MAIN' ? [element] : [element, ...placesOf(element.parentElement)];
}
