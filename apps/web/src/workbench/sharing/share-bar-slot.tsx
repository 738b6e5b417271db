/** The place of the bar: empty, and without its code, while nobody shares. */
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { useSharing } from './sharing-store.ts';

const loadBar = () => import('./share-bar.tsx');
const leave = () => undefined;

export function ShareBarSlot() {
  const shared = useSharing(({ phase }) => phase === 'on');
  const loaded = useLoaded(shared, loadBar, leave);
  return shared && loaded !== null ? <loaded.ShareBar /> : null;
}
