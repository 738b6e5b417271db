/**
 * Asks before a link or a button of this document leads to another document, such as from the terminal to the ESP32
 * bench. Sharing ends with the document. For all other ways to leave, the browser asks in its own words.
 */
import { useEffect } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { guestsText } from './guest-texts.ts';
import { stopAndLeave } from './share-actions.ts';
import { changeSharing, useSharing } from './sharing-store.ts';

export function LeaveQuestion() {
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
          stopAndLeave(leaving);
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
