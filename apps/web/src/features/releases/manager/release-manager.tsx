import { releaseText } from '@wirebench/contract';
import { Lock } from 'lucide-react';
import { useRef } from 'react';
import { signIn } from '../../../shared/session/sign-in.ts';
import { useSession } from '../../../shared/session/use-session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useFocusKeeper } from '../../../shared/ui/use-focus-keeper.ts';
import { UserProvider } from '../use-user.ts';
import { LoadingProjects } from './loading-projects.tsx';
import { ManagerHead } from './manager-head.tsx';
import { ProjectsView } from './projects-view.tsx';
import styles from './release-manager.module.css';

/** `/app/releases`: the projects of the signed-in user, or an introduction for visitors. */
export function ReleaseManager() {
  const { user, activity } = useSession();
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  return (
    <div ref={root} className={`page-width ${styles['page']}`}>
      {user === null ? (
        <>
          <ManagerHead creation={null} />
          {activity === 'looking' ? <LoadingProjects /> : <SignedOut busy={activity !== null} />}
        </>
      ) : (
        <UserProvider key={user.name} value={user.name}>
          <ProjectsView />
        </UserProvider>
      )}
    </div>
  );
}

function SignedOut({ busy }: { readonly busy: boolean }) {
  return (
    <section className={styles['state']}>
      <Lock />
      <h2>{releaseText.signInRequired}</h2>
      <p>
        A project holds the versions of your firmware. Each version has a link that flashes it, with its files and
        offsets.
      </p>
      <Button variant="primary" size="lg" busy={busy} onClick={() => void signIn()}>
        {busy ? 'Signing In...' : 'Sign In'}
      </Button>
    </section>
  );
}
