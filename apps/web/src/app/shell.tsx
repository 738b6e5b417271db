import { useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigationType } from 'react-router';
import { FeedbackSlot } from '../features/feedback/feedback-slot.tsx';
import { hasServer } from '../shared/edition.ts';
import { Header } from './header.tsx';
import { SkipLink } from './skip-link.tsx';

/** The frame around every page. */
export function Shell() {
  useFocusOnNavigation();
  return (
    <>
      <SkipLink />
      <Header />
      <Outlet />
      {hasServer ? <FeedbackSlot /> : null}
    </>
  );
}

/** After a change of page keyboard and screen reader start at its beginning, as they would in a new document. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) {
      return;
    }
    shown.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
    if (navigation !== 'POP') {
      window.scrollTo(0, 0);
    }
  }, [pathname, navigation]);
}
