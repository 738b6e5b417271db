/** A visit to a shared bench from the join form to its end. The page supplies the bench itself. */
import { type ReactNode, useEffect } from 'react';
import { rememberedName } from '../../workbench/live/guest-name.ts';
import { join, leaveWithPage } from '../../workbench/live/join.ts';
import { useLive } from '../../workbench/live/live-store.ts';
import { JoinForm } from './join-form.tsx';
import { EndedMessage, FaultMessage, WaitingMessage } from './live-message.tsx';

/** @param children Shown after the first contact with the host, for the lifetime of the page. */
export function Live({ children }: { readonly children: ReactNode }) {
  const link = useLive((state) => state.link);
  const isJoinRequested = useLive((state) => state.isJoinRequested);
  const isHostReached = useLive((state) => state.isHostReached);
  const ended = useLive(({ tick }) => tick?.state === 'ended');
  useEffect(() => {
    const name = rememberedName();
    if (name !== null) {
      join(name);
    }
    return leaveWithPage();
  }, []);
  if (typeof link === 'string') {
    return <FaultMessage fault={link} />;
  }
  if (!isJoinRequested) {
    return <JoinForm />;
  }
  if (isHostReached) {
    return children;
  }
  return ended ? <EndedMessage /> : <WaitingMessage />;
}
