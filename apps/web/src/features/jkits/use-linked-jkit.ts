import { useEffect } from 'react';
import { hasServer } from '../../shared/edition.ts';
import { isRunFailure, runFailedText } from '../../shared/ui/run-failure.ts';
import { toast } from '../../shared/ui/toast.ts';
import { isLinked, setLink } from './link-store.ts';
import { linkedJkit } from './model/jkit-link.ts';
import type { LinkedPanels } from './open-linked.ts';

const loadFailedText = 'This part of the page could not be loaded. Check the connection, then open the link again.';

/**
 * Loads the JKit that the address names, once.
 *
 * @param search Query part of the address.
 * @param panels Must be the same object in each render.
 */
export function useLinkedJkit(search: string, panels: LinkedPanels): void {
  useEffect(() => {
    const id = linkedJkit(search);
    if (!hasServer || id === null || isLinked(panels.type, id)) {
      return;
    }
    setLink(panels.type, { id, busy: true, failure: null });
    import('./open-linked.ts').then(
      ({ openLinked }) => openLinked(id, panels),
      (error: unknown) => {
        setLink(panels.type, { id: null, busy: false });
        toast(isRunFailure(error) ? runFailedText : loadFailedText, { level: 'error' });
      },
    );
  }, [search, panels]);
}
