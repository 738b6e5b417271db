import { useLoaded } from '../ui/use-loaded.ts';
import { dropTextToCopy, useTextToCopy } from './text-to-copy.ts';

const loadDialog = () => import('./copy-by-hand-dialog.tsx');

/** Shows text that the browser did not copy, selected. Mounted once, in the frame of every page. */
export function CopyByHand() {
  const wanted = useTextToCopy().text !== null;
  const loaded = useLoaded(wanted, loadDialog, dropTextToCopy);
  return loaded === null ? null : <loaded.CopyByHandDialog />;
}
