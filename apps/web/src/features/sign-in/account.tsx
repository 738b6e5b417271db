import { useLayoutEffect, useRef } from 'react';
import { signIn } from '../../shared/session/sign-in.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { UserMenu } from './user-menu.tsx';

/** Right end of the header: the signed-in user, or the sign-in button. */
export function Account() {
  const { user, activity } = useSession();
  const place = useRef<HTMLSpanElement>(null);
  const hadFocus = useRef(false);
  const isSignedIn = user !== null;
  // The focused button was replaced, so the new one gets the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect follows the change, and reads nothing of it.
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) {
      place.current?.querySelector('button')?.focus();
    }
  }, [isSignedIn]);
  const busy = activity !== null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it follows the focus of what is in it, and takes none itself.
    <span
      ref={place}
      style={{ display: 'contents' }}
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        hadFocus.current = relatedTarget === null;
      }}
    >
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
