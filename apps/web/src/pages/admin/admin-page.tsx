import { Lock } from 'lucide-react';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { adminText } from '../../features/admin/admin-texts.ts';
import { type FeedbackCalls, feedbackCalls } from '../../features/admin/feedback-calls.ts';
import { FeedbackDashboard } from '../../features/admin/feedback-dashboard.tsx';
import { signIn } from '../../shared/session/sign-in.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import styles from './admin-page.module.css';

/** `/admin`. Whether somebody may see the feedback is decided by the server, whose answer the dashboard shows. */
export function AdminPage({ calls = feedbackCalls }: { readonly calls?: FeedbackCalls }) {
  const { user, activity } = useSession();
  if (user !== null) {
    return (
      <>
        <AdminHeader user={user} />
        <div className={styles['wrap']}>
          <FeedbackDashboard key={user.name} user={user.name} calls={calls} />
        </div>
      </>
    );
  }
  if (activity === 'looking') {
    return (
      <div className={styles['state']} role="status">
        <Spinner />
        <h1>{adminText.loading}</h1>
        <p>{adminText.checking}</p>
      </div>
    );
  }
  return (
    <div className={styles['state']}>
      <Lock />
      <h1>{adminText.required}</h1>
      <p>{adminText.logIn}</p>
      <Button variant="primary" busy={activity === 'signing-in'} onClick={() => void signIn('console')}>
        Login
      </Button>
    </div>
  );
}
