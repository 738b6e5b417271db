import { useQuery } from '@tanstack/react-query';
import {
  type Account,
  AccountAnswer,
  accountPaths,
  checkPublicName,
  normalizePublicName,
  publicNameText,
} from '@wirebench/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { request } from '../../shared/api/api.ts';
import { errorMessage } from '../../shared/api/api-error.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { type CallEnds, useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { learnOwnName } from '../../shared/session/own-names.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { toast } from '../../shared/ui/toast.ts';

export interface PublicNameDialogProps {
  /** The signed-in user. */
  readonly user: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

const accountKey = 'account';

/**
 * @param user Signed-in user.
 * @param wanted False: the account is not requested yet.
 */
function useOwnAccount(user: string, wanted: boolean) {
  return useQuery(
    {
      queryKey: [accountKey, user],
      queryFn: async ({ signal }) => (await request(accountPaths.account, AccountAnswer, { signal })).account,
      enabled: wanted,
    },
    queryClient,
  );
}

async function changePublicName(publicName: string): Promise<Account> {
  const answer = await request(accountPaths.publicName, AccountAnswer, {
    method: 'PUT',
    body: { publicName },
  });
  return answer.account;
}

/** The user's own account: the name under which the user publishes. */
function useChangePublicName(user: string, { onSuccess, onError }: CallEnds<Account, string>) {
  return useApiMutation<Account, string>({
    mutationFn: changePublicName,
    onSuccess: (account, publicName) => {
      learnOwnName(user, account.publicName);
      queryClient.setQueryData([accountKey, user], account);
      // Reloads all data, because publishers are shown by name.
      void queryClient.invalidateQueries();
      onSuccess?.(account, publicName);
    },
    onError,
  });
}

/** Edits the name that is shown with everything that the user publishes. */
export function PublicNameDialog({ user, open, onClose }: PublicNameDialogProps) {
  const formId = useId();
  const query = useOwnAccount(user, open);
  const saving = useChangePublicName(user, {
    onSuccess: ({ publicName }) => {
      toast(`You publish as ${publicName} now`);
      onClose();
    },
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title="Public name"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={saving.isPending}
            disabled={query.data === undefined}
          >
            Save
          </Button>
        </>
      }
    >
      <p>
        Everyone sees this name on your releases and shared JKits. It need not be the name that you sign in with, and a
        change takes effect everywhere at once.
      </p>
      {query.error === null ? null : (
        <LoadFailure query={query} message={`Failed to load your public name: ${errorMessage(query.error)}`} />
      )}
      {query.data === undefined ? null : (
        <NameForm key={query.data.publicName} id={formId} account={query.data} onSave={saving.mutate} />
      )}
      {query.data === undefined && query.error === null ? <p role="status">Loading your public name…</p> : null}
      {saving.error === null ? null : (
        <Notice level="error" title="The name was not changed.">
          {errorMessage(saving.error)}
        </Notice>
      )}
    </Dialog>
  );
}

interface NameFormProps {
  readonly id: string;
  readonly account: Account;
  readonly onSave: (name: string) => void;
}

function NameForm({ id, account, onSave }: NameFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(account.publicName);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fault = normalizePublicName(name) === account.publicName ? null : checkPublicName(name);
    if (fault === null) {
      onSave(name);
    } else {
      setError(publicNameText[fault]);
      field.current?.focus();
    }
  };
  return (
    <form id={id} noValidate aria-label="Public name" onSubmit={submit}>
      <Field
        label="Public name"
        error={error}
        hint={account.isChosen ? null : 'This name was made up for you. It says nothing about who you are.'}
      >
        {(ids) => (
          <TextInput
            {...ids}
            ref={field}
            autoComplete="nickname"
            spellCheck={false}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setError(null);
            }}
          />
        )}
      </Field>
    </form>
  );
}
