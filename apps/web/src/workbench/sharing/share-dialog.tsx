/** The dialog in which a person shares the bench: link and code, when it ends, and what each guest may do. */
import { Copy, LogIn, Radio } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { copyText } from '../../shared/files/copy-text.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Popover } from '../../shared/ui/popover.tsx';
import type { PopoverProps } from '../../shared/ui/popover-popup.tsx';
import { QrCode } from '../../shared/ui/qr-code.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { GuestTable } from './guest-table.tsx';
import { endAfter, signInAndShare, startSharing } from './share-actions.ts';
import styles from './share-dialog.module.css';
import { shareHours } from './share-protocol.ts';
import { useSharing } from './sharing-store.ts';

export interface ShareDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly side: NonNullable<PopoverProps['side']>;
}

export function ShareDialog({ open, onClose, anchor, side }: ShareDialogProps) {
  const link = useSharing((state) => state.link);
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} side={side} title="Share this bench">
      <Content>{link === null ? <NotShared /> : <Shared link={link} />}</Content>
    </Popover>
  );
}

/** Answered requests and removed guests take their buttons with them: the focus stays near. */
function Content({ children }: { readonly children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root);
  useEffect(() => showRequests(root.current), []);
  return (
    <div ref={root} className={styles['content']}>
      {children}
    </div>
  );
}

/** Whoever opens the dialog while guests ask comes to answer: what waits is in sight, also below a class of guests. */
function showRequests(content: HTMLElement | null): void {
  const [first] = content?.querySelectorAll('[data-request]') ?? [];
  first?.scrollIntoView({ block: 'nearest' });
}

/** What sharing is, and the way to it. */
function NotShared() {
  const { user, activity } = useSession();
  const starting = useSharing(({ phase }) => phase === 'starting');
  const failure = useSharing((state) => state.failure);
  return (
    <div className={styles['body']}>
      <p>
        Whoever opens the link sees what passes your ports from then on. You decide who may type, and who may use a
        board as if it were plugged in there.
      </p>
      <Ending />
      <p className={styles['fine']}>
        The key is in the link, behind #, and never reaches the server: it passes on sealed frames that it cannot read.
        Guests get this page from the server, so share on a server that you trust.
      </p>
      {failure === null ? null : <Notice level="error">{failure}</Notice>}
      {user === null ? (
        <>
          <p>Sign in to make a link. Your ports stay open meanwhile.</p>
          <Button
            variant="primary"
            icon={<LogIn />}
            busy={starting || activity === 'signing-in'}
            onClick={() => void signInAndShare()}
          >
            Sign in and share
          </Button>
        </>
      ) : (
        <Button variant="primary" icon={<Radio />} busy={starting} onClick={() => void startSharing()}>
          Make a link
        </Button>
      )}
    </div>
  );
}

function Ending() {
  const hours = useSharing((state) => state.hours);
  return (
    <div className={styles['ending']}>
      <span className="silk">Link ends after</span>
      <Segmented
        label="Link ends after"
        value={hours}
        options={shareHours.map((value) => ({ value, label: `${value} h` }))}
        onChange={endAfter}
      />
    </div>
  );
}

function Shared({ link }: { readonly link: string }) {
  const at = link.indexOf('#');
  const key = link.slice(at);
  return (
    <>
      <div className={styles['body']}>
        <div className={styles['link']}>
          <p className={styles['address']} title={link}>
            <span>
              <bdi>{link.slice(0, at)}</bdi>
            </span>
            <em>{key}</em>
          </p>
          <Button variant="primary" icon={<Copy />} onClick={() => void copyText(link, 'Link copied')}>
            Copy link
          </Button>
        </div>
        <div className={styles['code']}>
          <QrCode text={link} label="QR code of the link" />
          <div className={styles['facts']}>
            <Ending />
            <p>Also when you close or leave this page, or 30 minutes after the last guest has left.</p>
            <p>The part after # is the key. It never reaches the server, which passes on sealed frames.</p>
          </div>
        </div>
      </div>
      <GuestTable />
      <p className={styles['foot']}>
        New guests may watch. Use lets a guest flash and reset that board. Names are what guests call themselves.
      </p>
    </>
  );
}
