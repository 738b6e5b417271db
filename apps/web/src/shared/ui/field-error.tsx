import { CircleAlert } from 'lucide-react';
import styles from './field-error.module.css';

/** What is wrong and what to do. Its parent has the role `alert` and is there before it, so that it is read out. */
export function FieldError({ children }: { readonly children: string }) {
  return (
    <span className={styles['error']}>
      <CircleAlert />
      {children}
    </span>
  );
}
