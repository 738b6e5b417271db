import { signIn } from '../../shared/session/sign-in.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { UserMenu } from './user-menu.tsx';

/** The header's end: who is signed in, or the way to sign in. */
export function Account() {
  const { user, activity } = useSession();
  if (user !== null) {
    return <UserMenu user={user} signingOut={activity === 'signing-out'} />;
  }
  const busy = activity !== null;
  return (
    <Button busy={busy} onClick={() => void signIn()}>
      {busy ? 'Signing In...' : 'Sign In'}
    </Button>
  );
}
