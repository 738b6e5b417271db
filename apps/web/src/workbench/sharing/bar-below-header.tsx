/**
 * Sharing bar below the header, for pages that have no place for it, and the question before a link leaves the
 * document. It is a React root of its own, because sharing continues across the app's pages and the frame around them
 * loads before a bench is shared.
 */

import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { useFocusMain } from '../../shared/ui/use-focus-main.ts';
import styles from './bar-below-header.module.css';
import { guestsText } from './guest-texts.ts';
import { stopAndLeave } from './share-actions.ts';
import { ShareBar } from './share-bar.tsx';
import { changeSharing, type Leaving, useSharing } from './sharing-store.ts';

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

/**
 * Asks before a link or a button of this document leads to another document, such as from the terminal to the ESP32
 * bench. Sharing ends with the document. For all other ways to leave, the browser asks in its own words.
 */

/** @param onLeave Stops sharing and goes to the link. */
export function LeaveQuestion({ onLeave }: { readonly onLeave: (leaving: Leaving) => void }) {
  const guests = useSharing(({ status }) => status?.guests.length ?? 0);
  const leaving = useSharing((state) => state.leaving);
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const href = leadsAway(event);
      if (href !== null) {
        event.preventDefault();
        changeSharing({ leaving: { href } });
      }
    };
    // Registered after the router, which prevents the default action of its own links.
    window.addEventListener('click', onClick);
    return () => window.removeEventListener('click', onClick);
  }, []);
  const close = () => changeSharing({ leaving: null });
  return (
    <ConfirmDialog
      open={leaving !== null}
      onClose={close}
      title="Leave this page and stop sharing?"
      text={`The bench is shared from this page. If you leave it, the link stops working${guests === 0 ? '' : ` and ${guestsText(guests)} ${guests === 1 ? 'is' : 'are'} disconnected`}. In a new tab, the other page opens while sharing goes on here.`}
      besides={
        <Button
          onClick={() => {
            window.open(leaving?.href ?? '', '_blank', 'noopener');
            close();
          }}
        >
          Open in a new tab
        </Button>
      }
      action="Stop sharing and leave"
      onConfirm={() => {
        if (leaving !== null) {
          onLeave(leaving);
        }
      }}
    />
  );
}

/** Returns the target of a click that leads to another document in this tab, else null. */
function leadsAway(event: MouseEvent): string | null {
  const { target, button, defaultPrevented, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !(target instanceof Element)) {
    return null;
  }
  const link = target.closest('a');
  if (link === null || link.href === '' || link.hasAttribute('download') || !['', '_self'].includes(link.target)) {
    return null;
  }
  const { protocol, origin, pathname, search } = new URL(link.href);
  const isHere = origin === location.origin && pathname === location.pathname && search === location.search;
  return isHere || !protocol.startsWith('http') ? null : link.href;
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
      <LeaveQuestion onLeave={stopAndLeave} />
    </>
  );
}

/** Moves keyboard focus to the page's main part if it was on the bar when sharing ended. */
function LastingBar() {
  useFocusMain();
  return <ShareBar />;
}
