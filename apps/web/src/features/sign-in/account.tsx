import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { signIn } from '../../shared/session/sign-in.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { UserMenu } from './user-menu.tsx';

/** The header's end: who is signed in, or the way to sign in. */
export function Account() {
  const { user, activity } = useSession();
  const place = useRef<HTMLSpanElement>(null);
  useKeptFocus(place, user === null);
  const busy = activity !== null;
  return (
    <span ref={place} style={{ display: 'contents' }}>
      {user === null ? (
        <Button busy={busy} onClick={() => void signIn()}>
          {busy ? 'Signing In...' : 'Sign In'}
        </Button>
      ) : (
        <UserMenu user={user} signingOut={activity === 'signing-out'} />
      )}
    </span>
  );
}

/** Moves the focus to the new button in `place` when `state` changes, if the button that was there before had it. */
function useKeptFocus(place: RefObject<HTMLElement | null>, state: boolean): void {
  const hadFocus = useRef(false);
  const last = useRef(state);
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      // The items of a menu are elsewhere in the document.
      const isMenu = target instanceof Element && target.closest('[role="menu"]') !== null;
      hadFocus.current = target instanceof Node && (place.current?.contains(target) || (isMenu && hadFocus.current));
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [place]);
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (last.current !== state && hadFocus.current && (activeElement === null || activeElement === document.body)) {
      place.current?.querySelector('button')?.focus();
    }
    last.current = state;
  }, [place, state]);
}
