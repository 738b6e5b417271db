import type { NewTokenAnswer } from '@wirebench/contract';
import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { dayText } from '../../../shared/dates/dates.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import styles from './token-form.module.css';

export interface TokenSecretProps {
  readonly answer: NewTokenAnswer;
  /** True: the user has tried to close the dialog without the secret. */
  readonly warned: boolean;
  readonly onDone: () => void;
}

/** Shows the secret of a new token, which is possible only once. */
export function TokenSecret({ answer, warned, onDone }: TokenSecretProps) {
  const { secret, token } = answer;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast('Token copied');
    } catch (error) {
      console.warn('The token was not copied.', error);
      field.current?.select();
      toast('The browser did not copy the token. It is selected: copy it with the keyboard.', { level: 'error' });
    }
  };
  return (
    <section aria-label="Your new token" className={styles['secret']}>
      <p>
        This is the token "{token.name}", valid until {dayText(token.expiresAt)}. Copy it now: it cannot be shown again.
      </p>
      <div className={styles['value']}>
        <TextInput
          ref={field}
          mono
          readOnly
          aria-label="Token"
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button icon={<Copy />} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      {warned ? (
        <Notice level="warning" title="The token cannot be shown again.">
          Copy it first, or close again to leave without it.
        </Notice>
      ) : null}
      <Button size="sm" className={styles['done']} onClick={onDone}>
        I have copied it
      </Button>
    </section>
  );
}
