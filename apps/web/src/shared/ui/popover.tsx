import type { PopoverProps } from './popover-popup.tsx';
import { useLoaded } from './use-loaded.ts';

const loadPopup = () => import('./popover-popup.tsx');

/**
 * Content that belongs to one button while the page stays usable. Opens beside the button, and on a phone as a sheet
 * from below.
 */
export function Popover(props: PopoverProps) {
  const loaded = useLoaded(props.open, loadPopup, props.onClose);
  return loaded === null ? null : <loaded.PopoverPopup {...props} />;
}
