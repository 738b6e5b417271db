import { useQuery } from '@tanstack/react-query';
import type { NewTokenAnswer, Token } from '@wirebench/contract';
import { useState } from 'react';
import { queryClient } from '../../shared/api/query-client.ts';
import { dayText, momentText } from '../../shared/dates/dates.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { revokeToken, tokens } from './calls/tokens.ts';
import { DialogAnswer } from './dialog-answer.tsx';
import styles from './dialog-table.module.css';
import { NewTokenForm } from './new-token-form.tsx';
import { TokenSecret } from './token-secret.tsx';
import { useAct } from './use-act.ts';
import { useOpenings } from './use-openings.ts';

export interface TokensDialogProps {
  readonly user: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Publishing tokens: what lets a build server publish in one's name. */
export function TokensDialog(props: TokensDialogProps) {
  return <Tokens key={useOpenings(props.open)} {...props} />;
}

function Tokens({ user, open, onClose }: TokensDialogProps) {
  const [made, setMade] = useState<NewTokenAnswer | null>(null);
  const [warned, setWarned] = useState(false);
  const query = useQuery(
    { queryKey: ['publishing-tokens', user], queryFn: ({ signal }) => tokens(signal), enabled: open },
    queryClient,
  );
  // A token that was neither copied nor read is lost with the dialog: the first way out only says so.
  const close = () => (made === null || warned ? onClose() : setWarned(true));
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['publishing-tokens', user] });
  return (
    <Dialog open={open} onClose={close} title="Publishing tokens">
      <p>
        A token lets a program, such as a build server, publish versions of one project in your name. It can delete
        nothing and make nothing private, and it ends when you have not signed in for long.
      </p>
      {made === null ? (
        <NewTokenForm
          user={user}
          onCreated={(answer) => {
            setMade(answer);
            void refresh();
          }}
        />
      ) : (
        <TokenSecret
          answer={made}
          warned={warned}
          onDone={() => {
            setMade(null);
            setWarned(false);
          }}
        />
      )}
      <DialogAnswer query={query} what="tokens">
        {(list) =>
          list.length === 0 ? (
            <p className={styles['note']}>You have no tokens.</p>
          ) : (
            <div className={styles['scroll']}>
              <table className={styles['table']}>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Project</th>
                    <th scope="col">Last use</th>
                    <th scope="col">Expires</th>
                    <th scope="col">
                      <span className="visually-hidden">Revoke</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((token) => (
                    <TokenLine key={token._id} token={token} onRevoked={refresh} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </DialogAnswer>
    </Dialog>
  );
}

/** A second press revokes: a program may depend on it. */
function TokenLine({ token, onRevoked }: { readonly token: Token; readonly onRevoked: () => Promise<void> }) {
  const { _id: id, name, project, createdAt, lastUsedAt, expiresAt } = token;
  const { busy, run } = useAct('Failed to revoke the token');
  const [asked, setAsked] = useState(false);
  const now = Date.now();
  const expired = Date.parse(expiresAt) <= now;
  const revoke = () =>
    run(async () => {
      await revokeToken(id);
      await onRevoked();
      toast(`Token "${name}" revoked`);
    });
  return (
    <tr>
      <th scope="row">
        {name}
        <div className={styles['note']}>Created {dayText(createdAt)}</div>
      </th>
      <td>{project === null ? 'All projects' : project.name}</td>
      <td>{lastUsedAt === null ? 'Never' : momentText(lastUsedAt, now)}</td>
      <td>{expired ? `Expired ${dayText(expiresAt)}` : dayText(expiresAt)}</td>
      <td className={styles['number']}>
        <Button
          size="sm"
          variant={asked ? 'danger-fill' : 'danger'}
          busy={busy}
          aria-label={asked ? `Confirm: revoke ${name}` : `Revoke ${name}`}
          onBlur={() => setAsked(false)}
          onClick={() => (asked ? void revoke() : setAsked(true))}
        >
          {asked ? 'Confirm' : 'Revoke'}
        </Button>
      </td>
    </tr>
  );
}
