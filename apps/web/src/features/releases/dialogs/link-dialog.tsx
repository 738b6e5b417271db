import { releaseText } from '@wirebench/contract';
import { type FormEvent, useId, useRef, useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { exactText } from '../../../shared/dates/dates.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import { useOpenings } from '../../../shared/ui/use-openings.ts';
import { useTwoPresses } from '../../../shared/ui/use-two-presses.ts';
import { useRenewLink, useSetLinkEnd } from '../calls/items.ts';
import { shareLink } from '../manager/release-links.ts';
import type { ItemType } from '../release-texts.ts';
import styles from './link-dialog.module.css';

export interface LinkDialogProps {
  readonly type: ItemType;
  /** Name in the title: `version 1.4.0`. */
  readonly what: string;
  readonly item: { readonly _id: string; readonly shareId: string; readonly shareEndsAt?: string | undefined };
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Sets the lifetime of a link: until a day, or until it is renewed. */
export function LinkDialog(props: LinkDialogProps) {
  return <Link key={useOpenings(props.open)} {...props} />;
}

function Link({ type, what, item, open, onClose }: LinkDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={`Link to ${what}`}>
      <p className={styles['link']}>
        <code>{shareLink(location.origin, type, item.shareId)}</code>
      </p>
      <EndForm type={type} what={what} item={item} />
      <Renewal type={type} what={what} item={item} />
    </Dialog>
  );
}

type PartProps = Pick<LinkDialogProps, 'type' | 'what' | 'item'>;

function EndForm({ type, what, item }: PartProps) {
  const { _id: id, shareEndsAt } = item;
  const field = useRef<HTMLInputElement>(null);
  const [end, setEnd] = useState(shareEndsAt === undefined ? '' : localTime(new Date(shareEndsAt)));
  const [error, setError] = useState<string | null>(null);
  const {
    isPending,
    error: failure,
    mutate: save,
    reset,
  } = useSetLinkEnd(type, id, {
    onSuccess: (_, endsAt) =>
      toast(
        endsAt === null ? `The link to ${what} does not expire` : `The link to ${what} expires ${exactText(endsAt)}`,
      ),
  });
  useNextAction(error !== null || failure !== null, () => {
    setError(null);
    if (failure !== null) {
      reset();
    }
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const moment = new Date(end);
    if (Number.isNaN(moment.getTime()) || moment.getTime() <= Date.now()) {
      setError(releaseText.shareEndPast);
      field.current?.focus();
    } else {
      save(moment.toISOString());
    }
  };
  const hasEnded = shareEndsAt !== undefined && Date.parse(shareEndsAt) <= Date.now();
  return (
    <form noValidate aria-label="Expiry of the link" className={styles['part']} onSubmit={submit}>
      <Field
        label="Expires"
        error={error}
        hint={
          hasEnded
            ? 'The link has expired. Visitors see a page that says so.'
            : 'After that, visitors see that the link has expired. Without an expiry it works as long as the release is public.'
        }
      >
        {(ids) => (
          <TextInput
            {...ids}
            ref={field}
            type="datetime-local"
            value={end}
            onChange={(event) => setEnd(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="buttons">
        <Button type="submit" busy={isPending}>
          Set expiry
        </Button>
        {shareEndsAt === undefined ? null : (
          <Button
            variant="quiet"
            onClick={() => {
              setEnd('');
              save(null);
            }}
          >
            Remove expiry
          </Button>
        )}
      </div>
      {failure === null ? null : (
        <Notice level="error" title="The expiry was not changed.">
          {errorMessage(failure)}
        </Notice>
      )}
    </form>
  );
}

/** Renews the link with a second press, because all copies of the old link stop working. */
function Renewal({ type, what, item }: PartProps) {
  const explanationId = useId();
  const { isPending, error, mutate, reset } = useRenewLink(type, item._id, {
    onSuccess: () => toast(`The link to ${what} was renewed. The old one no longer works.`),
  });
  const { armed, press, disarm } = useTwoPresses(() => mutate(), null);
  useNextAction(error !== null, reset);
  return (
    <section aria-label="Renew the link" className={styles['part']}>
      <p id={explanationId}>
        A renewed link has a new address. The old one stops working at once, wherever it is used: pages, badges and QR
        codes.
      </p>
      <div className="buttons">
        <Button
          variant={armed ? 'danger-fill' : 'danger'}
          busy={isPending}
          aria-describedby={explanationId}
          onBlur={disarm}
          onClick={press}
        >
          {armed ? 'Confirm: renew the link' : 'Renew the link'}
        </Button>
      </div>
      {error === null ? null : (
        <Notice level="error" title="The link was not renewed.">
          {errorMessage(error)}
        </Notice>
      )}
    </section>
  );
}

/**
 * Formats a time in local time for a field of date and time (HTML, "Local date and time strings"):
 * `2026-11-20T14:30`.
 */
function localTime(moment: Date): string {
  const part = (value: number, length = 2) => String(value).padStart(length, '0');
  const day = [part(moment.getFullYear(), 4), part(moment.getMonth() + 1), part(moment.getDate())].join('-');
  return `${day}T${part(moment.getHours())}:${part(moment.getMinutes())}`;
}
