/**
 * Boards of a bench that another user shares by a link. Asks for the use of one, and connects it as if it were
 * plugged in here.
 */
import { deviceName } from '@wirebench/boards/device-name';
import { formatShareLink } from '@wirebench/remote';
import type { PortNumber } from '@wirebench/serial';
import { useEffect, useState } from 'react';
import type { LiveTick, SharedPortFacts } from '../../../protocol/live-protocol.ts';
import { useSession } from '../../../shared/session/use-session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { dismissToast, toast } from '../../../shared/ui/toast.ts';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import { longestName, rememberedName, tidyName } from '../../../workbench/live/guest-name.ts';
import { join, leave, leaveWithPage } from '../../../workbench/live/join.ts';
import { getLive, toastError } from '../../../workbench/live/live-line.ts';
import { currentVisit, onVisitChange, readLink, setLink, useLive } from '../../../workbench/live/live-store.ts';
import { endingWords, faultWords, patience, waitingWords } from '../../../workbench/live/live-words.ts';
import { connect } from '../store/flash-actions.ts';
import styles from './shared-boards.module.css';

/** @param port Place on this page that the board takes. */
export function SharedBoards({ port }: { readonly port: PortNumber }) {
  const isJoinRequested = useLive((state) => state.isJoinRequested);
  const state = useLive(({ tick }) => tick?.state ?? 'joining');
  useGivenLink();
  return (
    <section className={styles['boards']} aria-label="Shared boards">
      <h3>Shared boards</h3>
      {!isJoinRequested || state === 'ended' ? (
        <LinkForm />
      ) : state === 'joining' ? (
        <Waiting />
      ) : (
        <Boards port={port} />
      )}
    </section>
  );
}

/** Joins by itself where a shared bench has led here and this browser knows the guest's name: nothing is left to be asked. */
function useGivenLink(): void {
  useEffect(() => {
    const name = rememberedName();
    const link = givenLink();
    if (name !== null && link !== '' && !currentVisit().isJoinRequested) {
      openLink(link, name);
    }
  }, []);
}

/**
 * Shows toasts about the connection to a shared bench while the page uses one of its boards. The list of shared
 * boards, which shows the same state, is hidden during that time.
 */

/** Id of the toast that is shown now; null while the connection is intact. */
let lost: number | null = null;

/**
 * Starts the toasts for the lifetime of the page. A second call changes nothing, because the store knows this
 * listener.
 */
export function announceConnection(): void {
  onVisitChange(announce);
}

function announce({ tick }: { readonly tick: LiveTick | null }): void {
  if (tick === null) {
    return;
  }
  const isAway = isLost(tick);
  if (isAway && lost === null && tick.ports.some(({ isYours }) => isYours)) {
    lost = toast('The connection to the shared bench is lost. Trying again.', {
      level: 'error',
      detail: 'When it is back within a minute, what was begun at the board goes on by itself.',
    });
  } else if (!isAway && lost !== null) {
    dismissToast(lost);
    lost = null;
    if (tick.state === 'joined') {
      toast('Connected to the shared bench again.');
    }
  }
}

const isLost = ({ state, isHostAway }: LiveTick) => state === 'away' || (state === 'joined' && isHostAway);

/** Returns why the link cannot be opened here; null when it is being opened. */
function openLink(link: string, name: string): string | null {
  const read = readLink(link);
  if (typeof read === 'string') {
    return faultWords(read).text;
  }
  if (read.origin !== location.origin) {
    return `This link is of another server. Open the flasher at ${read.origin}.`;
  }
  setLink(read);
  leaveWithPage();
  announceConnection();
  join(name, false);
  return null;
}

/** Returns the link in the page's address if a shared bench has led here; else an empty string. */
function givenLink(): string {
  const room = new URLSearchParams(location.search).get('live');
  return room === null ? '' : formatShareLink({ origin: location.origin, room, secret: location.hash.slice(1) });
}

function LinkForm() {
  const { user } = useSession();
  const ended = useLive(({ tick }) => (tick?.state === 'ended' ? endingWords(tick.why).text : null));
  const [link, setLink] = useState(givenLink);
  const [name, setName] = useState(() => rememberedName() ?? user?.name ?? '');
  const [fault, setFault] = useState<string | null>(null);
  useNextAction(fault !== null, () => setFault(null));
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        setFault(openLink(link, name));
      }}
    >
      {ended === null ? null : <p className="small">{ended}</p>}
      <Field label="Link of the shared bench" error={fault}>
        {(ids) => (
          <TextInput
            {...ids}
            mono
            autoComplete="off"
            value={link}
            onChange={(event) => setLink(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Your name" hint="Whoever shares the bench sees it.">
        {(ids) => (
          <TextInput
            {...ids}
            autoComplete="nickname"
            maxLength={longestName}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={link.trim() === '' || tidyName(name) === ''}>
        Open the link
      </Button>
    </form>
  );
}

function Waiting() {
  const host = useLive(({ tick }) => tick?.host ?? '');
  const isHostAway = useLive(({ tick }) => tick?.isHostAway ?? false);
  const { title, text } = waitingWords({ host, isHostAway }, isHostAway ? patience : 0, navigator.onLine);
  return (
    <p role="status">
      <Spinner /> <b>{title}</b> {text}
    </p>
  );
}

function Boards({ port }: { readonly port: PortNumber }) {
  const host = useLive(({ tick }) => tick?.host ?? '');
  const ports = useLive(({ tick }) => tick?.ports ?? null) ?? [];
  const isAway = useLive(({ tick }) => tick?.state !== 'joined' || tick.isHostAway);
  return (
    <>
      <p className="small" role="status">
        {isAway
          ? 'The connection is lost. Trying again.'
          : ports.length === 0
            ? `${host} shares no port now.`
            : `${host} shares these boards with you. They are plugged in there, not here.`}
      </p>
      <ul>
        {ports.map((shared) => (
          <li key={shared.port}>
            <span>
              <b>{shared.name}</b> {shared.isSimulated ? <Badge tone="info">Demo</Badge> : null}{' '}
              <span className="small">{factOf(shared)}</span>
            </span>
            <BoardButton port={port} shared={shared} disabled={isAway} />
          </li>
        ))}
      </ul>
      <Button size="sm" variant="quiet" onClick={leave}>
        Leave the shared bench
      </Button>
    </>
  );
}

function factOf({ port, present, usbVendorId, usbProductId, user, isYours, isSimulated }: SharedPortFacts): string {
  const info = { ...(usbVendorId !== null && { usbVendorId }), ...(usbProductId !== null && { usbProductId }) };
  const device = present ? (isSimulated ? 'simulated' : deviceName(info)) : 'unplugged';
  return [`port ${port}`, device, ...(user === null || isYours ? [] : [`used by ${user}`])].join(' · ');
}

interface BoardButtonProps {
  readonly port: PortNumber;
  readonly shared: SharedPortFacts;
  readonly disabled: boolean;
}

function BoardButton({ port, shared, disabled }: BoardButtonProps) {
  if (shared.right === 'use') {
    const free = shared.present && (shared.user === null || shared.isYours);
    return (
      <Button
        size="sm"
        variant="primary"
        disabled={disabled || !free}
        aria-label={`Connect ${shared.name}`}
        onClick={() => void connect(port, { kind: 'remote', port: shared.port })}
      >
        Connect
      </Button>
    );
  }
  const waiting = shared.asked === 'use';
  return (
    <Button
      size="sm"
      disabled={disabled || waiting}
      aria-label={`Ask to use ${shared.name}`}
      onClick={() => void toastError(getLive().call('ask', shared.port as PortNumber, 'use'))}
    >
      {waiting ? 'Asked…' : 'Ask to use'}
    </Button>
  );
}
