import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { AdminTabs } from '../../features/admin/admin-tabs.tsx';
import { adminText } from '../../features/admin/admin-texts.ts';
import { type FeedbackCalls, feedbackCalls } from '../../features/admin/feedback-calls.ts';
import { FeedbackDashboard } from '../../features/admin/feedback-dashboard.tsx';
import { useAdminRole } from '../../shared/config/use-admin-role.ts';
import { signIn } from '../../shared/session/sign-in.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import styles from './admin-page.module.css';

/** `/admin`. The server decides whether the user may see the feedback, and the dashboard shows its answer. */
export function AdminPage({ calls = feedbackCalls }: { readonly calls?: FeedbackCalls }) {
  return (
    <AdminFrame subtitle="Feedback Management">
      {(user, isModerator) => <FeedbackDashboard key={user} user={user} calls={calls} canDelete={isModerator} />}
    </AdminFrame>
  );
}

export interface AdminFrameProps {
  readonly subtitle: string;
  /** Content for the signed-in user. `isModerator` is true with the server's role. */
  readonly children: (user: string, isModerator: boolean) => ReactNode;
}

/** The header of the dashboard and the way to sign in. The other pages are offered to those who have the server's role. */
export function AdminFrame({ subtitle, children }: AdminFrameProps) {
  const { user, activity } = useSession();
  const adminRole = useAdminRole(user !== null);
  if (user !== null) {
    const isModerator = adminRole !== null && user.roles.includes(adminRole);
    return (
      <>
        <AdminHeader user={user} subtitle={subtitle} />
        <div className={`page-width ${styles['wrap']}`}>
          {isModerator ? <AdminTabs user={user.name} /> : null}
          {children(user.name, isModerator)}
        </div>
      </>
    );
  }
  if (activity === 'looking') {
    return (
      <div className={`stack apart ${styles['state']}`} role="status">
        <Spinner />
        <h1>{adminText.loading}</h1>
        <p>{adminText.checking}</p>
      </div>
    );
  }
  return (
    <div className={`stack apart ${styles['state']}`}>
      <Lock />
      <h1>{adminText.required}</h1>
      <p>{adminText.logIn}</p>
      <Button variant="primary" busy={activity === 'signing-in'} onClick={() => void signIn('console')}>
        Login
      </Button>
    </div>
  );
}
