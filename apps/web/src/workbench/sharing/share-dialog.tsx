/**
 * Dialog in which the host shares the bench: link and code, end of the link, and the rights of each guest. A page
 * with a place for it docks it beside the console. Elsewhere it is a popover of its button, and on a phone a sheet.
 */
import { Copy, LogIn, Radio, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { shareHours } from '../../protocol/share-protocol.ts';
import { copyText } from '../../shared/files/copy-text.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Popover } from '../../shared/ui/popover.tsx';
import type { PopoverProps } from '../../shared/ui/popover-popup.tsx';
import { QrCode } from '../../shared/ui/qr-code.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { Switch } from '../../shared/ui/switch.tsx';
import { useFocusKeeper } from '../../shared/ui/use-focus-keeper.ts';
import { GuestTable } from './guest-table.tsx';
import { endAfter, showEarlier, signInAndShare, startSharing } from './share-actions.ts';
import styles from './share-dialog.module.css';
import { sharingNow, showShareDialog, useSharing } from './sharing-store.ts';

export interface ShareDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly side: NonNullable<PopoverProps['side']>;
}

const title = 'Share this bench';

export function ShareDialog({ open, onClose, anchor, side }: ShareDialogProps) {
  return (
    <Popover open={open} onClose={onClose} anchor={anchor} side={side} title={title}>
      <SharingContent />
    </Popover>
  );
}

/** Takes the focus when it opens. Escape and its button close it and return the focus to the button that opened it. */
export function ShareDock() {
  const dock = useRef<HTMLElement>(null);
  const titleId = useId();
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent) => {
      // After the focused control was removed, the focus is on the body for a moment.
      if (key === 'Escape' && (target === document.body || dock.current?.contains(target as Node))) {
        closeDock();
      }
    };
    dock.current?.focus();
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  return (
    <section ref={dock} role="dialog" aria-labelledby={titleId} tabIndex={-1} className={styles['dock']}>
      <div className={`row ${styles['head']}`}>
        <h2 id={titleId} className={styles['title']}>
          {title}
        </h2>
        <IconButton label="Close" variant="quiet" size="sm" icon={<X />} onClick={closeDock} />
      </div>
      <SharingContent />
    </section>
  );
}

function closeDock(): void {
  const { dialog } = sharingNow();
  const opener =
    document.querySelector<HTMLElement>(`[data-share-button="${dialog}"]`) ??
    document.querySelector<HTMLElement>('[data-share-button]');
  showShareDialog(null);
  opener?.focus();
}

function SharingContent() {
  const link = useSharing((state) => state.link);
  return <Content>{link === null ? <NotShared /> : <Shared link={link} />}</Content>;
}

/** Keeps the focus near the removed button after a request was answered or a guest removed. */
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

/**
 * Scrolls to waiting requests. A user who opens the dialog while guests ask wants to answer, even if many guests are
 * listed above.
 */
function showRequests(content: HTMLElement | null): void {
  const [first] = content?.querySelectorAll('[data-request]') ?? [];
  first?.scrollIntoView({ block: 'nearest' });
}

/** Explains sharing and starts it. */
function NotShared() {
  const { user, activity } = useSession();
  const starting = useSharing(({ phase }) => phase === 'starting');
  const failure = useSharing((state) => state.failure);
  return (
    <div className={`stack apart ${styles['body']}`}>
      <p>
        Whoever opens the link sees what passes your ports from then on. You decide who may type, and who may use a
        board as if it were plugged in there.
      </p>
      <Ending />
      <EarlierLines />
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

/** The host's consent to show earlier lines, before and while the bench is shared. */
function EarlierLines() {
  const shows = useSharing((state) => state.showsEarlier);
  const id = useId();
  return (
    <div className={styles['earlier']}>
      <Switch label="Guests see the last 500 lines" checked={shows} describedBy={id} onChange={showEarlier} />
      <p id={id} className={styles['fine']}>
        Each new guest gets the newest 500 lines of every port, 64 KB at most, from before the guest came.
      </p>
    </div>
  );
}

function Shared({ link }: { readonly link: string }) {
  const at = link.indexOf('#');
  const key = link.slice(at);
  return (
    <>
      <div className={`stack apart ${styles['body']}`}>
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
          <div className={`stack ${styles['facts']}`}>
            <Ending />
            <p>Also when you close or leave this page, or 30 minutes after the last guest has left.</p>
            <p>The part after # is the key. It never reaches the server, which passes on sealed frames.</p>
          </div>
        </div>
        <EarlierLines />
      </div>
      <div className={styles['guests']}>
        <GuestTable />
        <p className={styles['foot']}>
          New guests may watch. Use lets a guest flash and reset that board. Names are what guests call themselves.
        </p>
      </div>
    </>
  );
}
