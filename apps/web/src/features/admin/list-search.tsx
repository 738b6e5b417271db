import { Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './moderation.module.css';

export interface ListSearchProps {
  readonly label: string;
  readonly onSearch: (q: string) => void;
  /** Content before the field. */
  readonly children?: ReactNode;
}

export function ListSearch({ label, onSearch, children }: ListSearchProps) {
  const [q, setQ] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(q.trim());
  };
  return (
    <form className={styles['search']} onSubmit={submit}>
      {children}
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
      />
      <Button type="submit" icon={<Search />}>
        Search
      </Button>
    </form>
  );
}
