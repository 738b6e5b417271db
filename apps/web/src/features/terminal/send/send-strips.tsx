import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';
import styles from './send-bar.module.css';

/** Element over the last rows of the log that takes the strips of what is sent. Null: they are above the field. */
export const SendStripsPlace = createContext<HTMLElement | null>(null);

/** Strips of what is sent. They lie over the last rows, so that the log keeps its height. */
export function SendStrips({ children }: { readonly children: ReactNode }) {
  const place = use(SendStripsPlace);
  return place === null ? children : createPortal(<div className={styles['strips']}>{children}</div>, place);
}
