import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import type { PasteDockProps } from './paste-dock.tsx';
import { cancelPaste, usePasteDock } from './paste-dock-store.ts';
import styles from './send-bar.module.css';

/** Element over the last rows of the log that takes the strips of what is sent. Null: they are above the field. */
export const SendStripsPlace = createContext<HTMLElement | null>(null);

/** Strips of what is sent. They lie over the last rows, so that the log keeps its height. */
export function SendStrips({ children }: { readonly children: ReactNode }) {
  const place = use(SendStripsPlace);
  return place === null ? children : createPortal(<div className={styles['strips']}>{children}</div>, place);
}

const loadPasteDock = () => import('./paste-dock.tsx');

/** Place of the strip with pasted lines, which is loaded with the first ones. Lines whose strip does not load are discarded. */
export function PastePlace(props: PasteDockProps) {
  const isWanted = usePasteDock(({ paste }) => paste !== null);
  const said = usePasteDock((dock) => dock.said);
  const dock = useLoaded(isWanted, loadPasteDock, cancelPaste);
  return (
    <>
      <div role="status" className="visually-hidden">
        {said}
      </div>
      {dock === null ? null : <dock.PasteDock {...props} />}
    </>
  );
}
