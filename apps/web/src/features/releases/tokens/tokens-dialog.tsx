import type { NewTokenAnswer, Token } from '@wirebench/contract';
import { useRef, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { dayText, momentText } from '../../../shared/dates/dates.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useNextRowFocus } from '../../../shared/ui/use-next-row-focus.ts';
import { useOpenings } from '../../../shared/ui/use-openings.ts';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { useProjects } from '../calls/projects.ts';
import { useRevokeToken, useTokens } from '../calls/tokens.ts';
import { DialogAnswer } from '../dialogs/dialog-answer.tsx';
import styles from '../dialogs/dialog-table.module.css';
import { useUser } from '../use-user.ts';
import { NewTokenForm } from './new-token-form.tsx';
import { PublishCommands } from './publish-commands.tsx';
import { TokenSecret } from './token-secret.tsx';

export interface TokensDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Publishing tokens, which let a build server publish in the user's name. */
export function TokensDialog(props: TokensDialogProps) {
  return <Tokens key={useOpenings(props.open)} {...props} />;
}

function Tokens({ open, onClose }: TokensDialogProps) {
  const [made, setMade] = useState<NewTokenAnswer | null>(null);
  const user = useUser();
  const query = useTokens(user, open);
  const { data: projects = [] } = useProjects(user);
  // Closing the dialog loses the secret, so the first attempt only warns.
  const leaving = useTwoPresses(onClose, null);
  const close = () => (made === null ? onClose() : leaving.press());
  return (
    <Dialog open={open} onClose={close} title="Publishing tokens">
      <p>
        A token lets a program, such as a build server, publish versions of one project in your name. It can delete
        nothing and make nothing private, and it stops working when you have not signed in for a long time.
      </p>
      {made === null ? (
        <NewTokenForm onCreated={setMade} />
      ) : (
        <TokenSecret
          answer={made}
          warned={leaving.armed}
          onDone={() => {
            setMade(null);
            leaving.disarm();
          }}
        />
      )}
      <PublishCommands
        project={made?.token.project?.name ?? (projects.length === 1 ? (projects[0]?.name ?? '') : 'my-project')}
      />
      <DialogAnswer query={query} what="tokens">
        {(list) =>
          list.length === 0 ? (
            <p className="small">You have no tokens.</p>
          ) : (
            <div className={styles['scroll']}>
              <table className={`table ${styles['table']}`}>
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
                    <TokenLine key={token._id} token={token} />
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

/** Revokes a token with a second press, because a program may depend on it. */
function TokenLine({ token }: { readonly token: Token }) {
  const { _id: id, name, project, createdAt, lastUsedAt, expiresAt, mayReplace = false } = token;
  const { isPending, mutate } = useRevokeToken(id, {
    onSuccess: () => toast(`Token "${name}" revoked`),
    onError: (error) => toast('Failed to revoke the token', { level: 'error', detail: errorMessage(error) }),
  });
  const { armed, press, disarm } = useTwoPresses(() => mutate(), null);
  const revoke = useRef<HTMLButtonElement>(null);
  useNextRowFocus(revoke);
  const now = Date.now();
  const expired = Date.parse(expiresAt) <= now;
  return (
    <tr>
      <th scope="row">
        {name}
        <div className="small">Created {dayText(createdAt)}</div>
        {mayReplace ? <div className="small">May replace the oldest version</div> : null}
      </th>
      <td>{project === null ? 'All projects' : project.name}</td>
      <td>{lastUsedAt === null ? 'Never' : momentText(lastUsedAt, now)}</td>
      <td>{expired ? `Expired ${dayText(expiresAt)}` : dayText(expiresAt)}</td>
      <td className="number">
        <Button
          ref={revoke}
          data-row=""
          size="sm"
          variant={armed ? 'danger-fill' : 'danger'}
          busy={isPending}
          aria-label={armed ? `Confirm: revoke ${name}` : `Revoke ${name}`}
          onBlur={disarm}
          onClick={press}
        >
          {armed ? 'Confirm' : 'Revoke'}
        </Button>
      </td>
    </tr>
  );
}
