/** The place of the bar: empty, and without its code, while nobody shares. */
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { useSharing } from './sharing-store.ts';

const loadBar = () => import('./share-bar.tsx');
const leave = () => undefined;

export function ShareBarSlot({ className }: { readonly className?: string | undefined }) {
  const shared = useSharing(({ phase }) => phase === 'on');
  const loaded = useLoaded(shared, loadBar, leave);
  return <div className={className}>{shared && loaded !== null ? <loaded.ShareBar /> : null}</div>;
}
