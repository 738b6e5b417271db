import { AccountsView } from '../../features/admin/accounts-view.tsx';
import { AuditView } from '../../features/admin/audit-view.tsx';
import { ItemsView } from '../../features/admin/items-view.tsx';
import { ReportsView } from '../../features/admin/reports-view.tsx';
import { StateView } from '../../features/admin/state-view.tsx';
import { AdminFrame } from './admin-page.tsx';

const views = {
  reports: ReportsView,
  items: ItemsView,
  accounts: AccountsView,
  audit: AuditView,
  state: StateView,
} as const;

export type ModerationView = keyof typeof views;

/** One of the pages below `/admin`. The server decides whether the user may see it. */
export function ModerationPage({ view }: { readonly view: ModerationView }) {
  const View = views[view];
  return (
    <AdminFrame subtitle={view === 'state' ? 'State of the server' : 'Moderation'}>
      {(user) => <View key={user} user={user} />}
    </AdminFrame>
  );
}
