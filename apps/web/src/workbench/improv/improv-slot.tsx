/** The place of the dialog in a page. The dialog is fetched when first opened. */
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { closeImprov, useOpenImprov } from './improv-open.ts';

const load = () => import('./improv-dialog.tsx');

export function ImprovSlot() {
  const { port, isOffered } = useOpenImprov();
  const loaded = useLoaded(port !== null, load, closeImprov);
  return port === null || loaded === null ? null : (
    <loaded.ImprovDialog key={port} port={port} isOffered={isOffered} onClose={closeImprov} />
  );
}
