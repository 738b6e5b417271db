/**
 * Sharing bar below the header, for pages that have no place for it, and the question before a link leaves the
 * document. It is a React root of its own, because sharing continues across the app's pages and the frame around them
 * loads before a bench is shared.
 */
import { createRoot } from 'react-dom/client';
import { useFocusMain } from '../../shared/ui/use-focus-main.ts';
import styles from './bar-below-header.module.css';
import { LeaveQuestion } from './leave-question.tsx';
import { ShareBar } from './share-bar.tsx';
import { useSharing } from './sharing-store.ts';

let place: HTMLElement | null = null;

/** Creates the place of the bar, once per document. It is empty while the bench is not shared. */
export function putBarBelowHeader(): void {
  const header = document.querySelector('header');
  if (place !== null || header === null) {
    return;
  }
  place = document.createElement('div');
  place.className = styles['place'] ?? '';
  header.after(place);
  createRoot(place).render(<BarBelowHeader />);
}

function BarBelowHeader() {
  const shared = useSharing(({ phase }) => phase === 'on');
  const hasPlace = useSharing((state) => state.hasPlace);
  if (!shared) {
    return null;
  }
  return (
    <>
      {hasPlace ? null : <LastingBar />}
      <LeaveQuestion />
    </>
  );
}

/** Moves keyboard focus to the page's main part if it was on the bar when sharing ended. */
function LastingBar() {
  useFocusMain();
  return <ShareBar />;
}
