/**
 * Place of the bar. It is empty and its code is not loaded until the bench is shared. From then on all pages of this
 * document have the bar.
 */
import { useEffect } from 'react';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { changeSharing, useSharing } from './sharing-store.ts';

const loadBar = async () => {
  const [bar, below] = await Promise.all([import('./share-bar.tsx'), import('./bar-below-header.tsx')]);
  below.putBarBelowHeader();
  return bar;
};
const leave = () => undefined;

export interface ShareBarSlotProps {
  /** True: this page has no place of its own for the bar, so it is below the header. */
  readonly belowHeader?: boolean;
}

export function ShareBarSlot({ belowHeader = false }: ShareBarSlotProps) {
  const shared = useSharing(({ phase }) => phase === 'on');
  const loaded = useLoaded(shared, loadBar, leave);
  useEffect(() => {
    if (!belowHeader) {
      changeSharing({ hasPlace: true });
      return () => changeSharing({ hasPlace: false });
    }
    return;
  }, [belowHeader]);
  return shared && !belowHeader && loaded !== null ? <loaded.ShareBar /> : null;
}
