import { useStore } from 'zustand';
import { useLoaded } from '../ui/use-loaded.ts';
import { textToCopy } from './text-to-copy.ts';

const loadDialog = () => import('./copy-by-hand-dialog.tsx');
const giveUp = () => textToCopy.setState({ text: null, reason: '' });

/** Shows text that the browser did not copy, selected. Mounted once, in the frame of every page. */
export function CopyByHand() {
  const wanted = useStore(textToCopy, ({ text }) => text !== null);
  const loaded = useLoaded(wanted, loadDialog, giveUp);
  return loaded === null ? null : <loaded.CopyByHandDialog />;
}
