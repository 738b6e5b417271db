import type { PopoverProps } from './popover-popup.tsx';
import { useLoaded } from './use-loaded.ts';

const loadPopup = () => import('./popover-popup.tsx');

/** What belongs to one button and lets the page be used beside it: beside the button, on a phone a sheet from below. */
export function Popover(props: PopoverProps) {
  const loaded = useLoaded(props.open, loadPopup, props.onClose);
  return loaded === null ? null : <loaded.PopoverPopup {...props} />;
}
