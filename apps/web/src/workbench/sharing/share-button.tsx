/**
 * Toolbar button that opens the sharing dialog. The dialog is docked if the page has a place for it, else beside the
 * button.
 */

import { Share2 } from 'lucide-react';
import { useRef } from 'react';
import { hasServer } from '../../shared/edition.ts';
import { counted } from '../../shared/format/numbers.ts';
import { media } from '../../shared/styles/media.ts';
import { Button, type ButtonProps } from '../../shared/ui/button.tsx';
import type { PopoverProps } from '../../shared/ui/popover-popup.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { type DialogPlace, showShareDialog, useSharing } from './sharing-store.ts';

export const loadDialog = () => import('./share-dialog.tsx');

export interface ShareButtonProps extends Pick<ButtonProps, 'variant' | 'className'> {
  readonly place: DialogPlace;
  /** Side of the button on which the dialog opens. */
  readonly side?: NonNullable<PopoverProps['side']>;
  /** Accessible name. Begins with the visible words, if any. */
  readonly label?: string;
  readonly children?: React.ReactNode;
}

/** Draws nothing in an edition without a server, which would connect the guests. */
export function ShareButton(props: ShareButtonProps) {
  return hasServer ? <ServedShareButton {...props} /> : null;
}

function ServedShareButton({
  place,
  side = 'bottom',
  variant = 'quiet',
  className,
  label = 'Share',
  children,
}: ShareButtonProps) {
  const open = useSharing(({ dialog }) => dialog === place);
  const isCounted = place === 'toolbar';
  const guests = useSharing(({ phase, status }) => (phase === 'on' && isCounted ? (status?.guests.length ?? 0) : null));
  const anchor = useRef<HTMLButtonElement>(null);
  const close = () => showShareDialog(null);
  const isDocked = useIsDocked();
  const loaded = useLoaded(open && !isDocked, loadDialog, close);
  return (
    <>
      <Button
        ref={anchor}
        size="sm"
        variant={variant}
        className={className}
        icon={<Share2 />}
        aria-label={guests === null ? label : `${label}${guests === 0 ? ', no guest' : ` ${counted(guests, 'guest')}`}`}
        aria-haspopup="dialog"
        data-share-button={place}
        aria-expanded={open}
        onClick={() => showShareDialog(open ? null : place)}
      >
        {children}
        {guests === null || guests === 0 ? null : (
          <>
            {/* The blank is in the name, too. */} <span>{guests}</span>
          </>
        )}
      </Button>
      {loaded === null || isDocked ? null : (
        <loaded.ShareDialog open={open} anchor={anchor} side={side} onClose={close} />
      )}
    </>
  );
}

/** Returns true if the dialog is part of the page's layout. */
function useIsDocked(): boolean {
  const hasDock = useSharing((state) => state.hasDock);
  const hasRoom = useMediaQuery(media['beyond-phone']);
  return hasDock && hasRoom;
}
