import type { ReactNode, RefObject } from 'react';
import { useLoaded } from './use-loaded.ts';

export interface PopoverProps {
  readonly open: boolean;
  /** Asked by Escape, by a press outside and by the close button. */
  readonly onClose: () => void;
  /** The button that opens it: the focus goes back to it. */
  readonly anchor: RefObject<HTMLElement | null>;
  /** It stands beside the section that the button is in, so that this can be read meanwhile, and not beside the button. */
  readonly besideSection?: boolean;
  readonly title: ReactNode;
  /** What it is about, beside the title. */
  readonly subtitle?: ReactNode;
  readonly children: ReactNode;
}

const loadPopup = () => import('./popover-popup.tsx');

/** What belongs to one button and lets the page be used beside it: beside the button, on a phone a sheet from below. */
export function Popover(props: PopoverProps) {
  const loaded = useLoaded(props.open, loadPopup, props.onClose);
  return loaded === null ? null : <loaded.PopoverPopup {...props} />;
}
