/** A visit to a shared bench from the join form to its end. The page supplies the bench itself. */

import { Eye } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import message from '../../shared/ui/message-page.module.css';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { useFocusMain } from '../../shared/ui/use-focus-main.ts';
import { longestName, rememberedName, tidyName } from '../../workbench/live/guest-name.ts';
import { join, leaveWithPage } from '../../workbench/live/join.ts';
import { useLive } from '../../workbench/live/live-store.ts';
import styles from './live.module.css';
import { EndedMessage, FaultMessage, WaitingMessage } from './live-message.tsx';

/** Asks for the guest's name, once per browser. */
function JoinForm() {
  useFocusMain();
  const { user } = useSession();
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? rememberedName() ?? user?.name ?? '';
  return (
    <section className={message['page']}>
      <Eye />
      <h1>A bench is shared with you</h1>
      <p>You see what its serial ports receive and send, live. Whoever shares it decides whether you may do more.</p>
      <form
        className={`stack apart ${styles['join']}`}
        onSubmit={(event) => {
          event.preventDefault();
          join(name);
        }}
      >
        <Field label="Your name" hint="Whoever shares the bench sees it, and so do other guests.">
          {(ids) => (
            <TextInput
              {...ids}
              autoFocus
              autoComplete="nickname"
              maxLength={longestName}
              value={name}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" disabled={tidyName(name) === ''}>
          Watch the bench
        </Button>
      </form>
      <p className="small">
        What passes is sealed between the browsers. The server hands it on and cannot read it: the key is in your link.
      </p>
    </section>
  );
}

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
