import { CircleAlert } from 'lucide-react';
import styles from './field-error.module.css';

/**
 * Describes an error of a field and its remedy. Its parent has the role `alert` and exists before it, so that screen
 * readers announce it.
 */
export function FieldError({ children }: { readonly children: string }) {
  return (
    <span className={styles['error']}>
      <CircleAlert />
      {children}
    </span>
  );
}
