import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyText } from '../files/copy-text.ts';
import { Button } from './button.tsx';
import styles from './copy-block.module.css';

export interface CopyBlockProps {
  readonly name: string;
  /** Purpose of the text. */
  readonly what?: ReactNode;
  readonly text: string;
  /** Shown beside the name. */
  readonly children?: ReactNode;
}

/** A text to be copied as a whole, such as a command or a piece of HTML, with its name and a button. */
export function CopyBlock({ name, what, text, children }: CopyBlockProps) {
  return (
    <div className={`stack ${styles['block']}`}>
      <div className={styles['head']}>
        <h3>{name}</h3>
        {children}
        <Button
          size="sm"
          icon={<Copy />}
          aria-label={`Copy: ${name}`}
          onClick={() => void copyText(text, `${name} copied`)}
        >
          Copy
        </Button>
      </div>
      {what === undefined ? null : <p>{what}</p>}
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}
