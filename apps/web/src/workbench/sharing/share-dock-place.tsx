/**
 * Place of the docked dialog in a page's layout. It is empty and its code is not loaded until the dialog is opened. A
 * phone has a sheet instead.
 */
import { useEffect } from 'react';
import { media } from '../../shared/styles/media.ts';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { loadDialog } from './share-button.tsx';
import { changeSharing, showShareDialog, useSharing } from './sharing-store.ts';

const close = () => showShareDialog(null);

export function ShareDockPlace({ className }: { readonly className?: string | undefined }) {
  const hasRoom = useMediaQuery(media['beyond-phone']);
  const open = useSharing(({ dialog }) => dialog !== null) && hasRoom;
  const loaded = useLoaded(open, loadDialog, close);
  useEffect(() => {
    changeSharing({ hasDock: true });
    return () => changeSharing({ hasDock: false });
  }, []);
  return open && loaded !== null ? (
    <div className={className}>
      <loaded.ShareDock />
    </div>
  ) : null;
}
