/** Message in place of the bench while no bench is connected. */
import { systemClock } from '@wirebench/clock';
import { Link2Off, RotateCw, Unplug } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import message from '../../shared/ui/message-page.module.css';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { rememberedName } from '../../workbench/live/guest-name.ts';
import { join } from '../../workbench/live/join.ts';
import { type LinkFault, useLive } from '../../workbench/live/live-store.ts';
import { endingWords, faultWords, patience, waitingWords } from '../../workbench/live/live-words.ts';

interface MessageProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

function Message({ icon, title, text, action }: MessageProps) {
  return (
    <section className={message['page']} role="status">
      {icon}
      <h1>{title}</h1>
      <p>{text}</p>
      {action}
    </section>
  );
}

export function FaultMessage({ fault }: { readonly fault: LinkFault }) {
  const { title, text } = faultWords(fault);
  return <Message icon={<Link2Off />} title={title} text={text} />;
}

export function EndedMessage() {
  const why = useLive(({ tick }) => tick?.why ?? null);
  const { title, text, again } = endingWords(why);
  return <Message icon={<Unplug />} title={title} text={text} action={again ? <JoinAgain /> : null} />;
}

export function WaitingMessage() {
  const host = useLive(({ tick }) => tick?.host ?? '');
  const isHostAway = useLive(({ tick }) => tick?.isHostAway ?? false);
  const [waited, setWaited] = useState(0);
  const online = useOnline();
  useEffect(() => systemClock.schedule(patience, () => setWaited(patience)), []);
  return <Message icon={<Spinner />} {...waitingWords({ host, isHostAway }, waited, online)} />;
}

export function JoinAgain({ size }: { readonly size?: 'sm' }) {
  return (
    <Button variant="primary" size={size} icon={<RotateCw />} onClick={() => join(rememberedName() ?? '')}>
      Open the link again
    </Button>
  );
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    return () => {
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
    };
  }, []);
  return online;
}
