import { Download } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './feedback-filter.module.css';

export interface FeedbackFilterProps {
  /** Active filter of the list. Empty: no filter. */
  readonly applied: string;
  readonly onApply: (email: string) => void;
  readonly exporting: boolean;
  readonly onExport: () => void;
}

export function FeedbackFilter({ applied, onApply, exporting, onExport }: FeedbackFilterProps) {
  const [email, setEmail] = useState(applied);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    onApply(email.trim());
  };
  const clear = () => {
    setEmail('');
    onApply('');
  };
  return (
    // Users without an email are listed by name, which the browser's own validation of an email would refuse.
    <form className={`row ${styles['filter']}`} noValidate onSubmit={apply}>
      <TextInput
        type="email"
        aria-label="Email"
        placeholder="Enter email to filter..."
        autoComplete="off"
        className={styles['email']}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <IconButton type="submit" label="Apply filter" icon={<span aria-hidden="true">✓</span>} />
      <IconButton
        label="Clear filter"
        icon={<span aria-hidden="true">✕</span>}
        disabled={email === '' && applied === ''}
        onClick={clear}
      />
      <Button icon={<Download />} className={styles['export']} disabled={exporting} onClick={onExport}>
        {exporting ? 'Exporting…' : 'Export CSV'}
      </Button>
    </form>
  );
}
