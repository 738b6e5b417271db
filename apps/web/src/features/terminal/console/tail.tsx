/**
 * Line below the log: the button that follows, keys while they work, and Clear. A toast is placed in its right half, so
 * that it covers no row.
 */
import { use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { media } from '../../../shared/styles/media.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { Led } from '../../../shared/ui/led.tsx';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useToastPlace } from '../../../shared/ui/use-toast-place.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { clearLog } from '../../../workbench/console/clear-log.ts';
import { useSharing } from '../../../workbench/sharing/sharing-store.ts';
import { openCount } from '../open-ports-of.ts';
import { HiddenAnswerWords, useHiddenAnswer } from '../send/hidden-answer.tsx';
import { displayByHexKey, useTerminalSettings } from '../settings/settings-store.ts';
import { keyCap, type Shortcut, shortcuts } from '../shortcuts.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { FollowState, type FollowStateProps, HeldLines } from './follow-state.tsx';
import styles from './tail.module.css';

export interface TailProps extends Omit<FollowStateProps, 'name'> {
  /** True: no log is shown. */
  readonly empty: boolean;
  /** True: each port has its own log, with its own strip. */
  readonly split: boolean;
}

export function Tail({ empty, split, pausedAt, onFollow }: TailProps) {
  const tail = useRef<HTMLElement>(null);
  const buttons = useRef<HTMLSpanElement>(null);
  const [covered, setCovered] = useState(0);
  // Messages leave the buttons free.
  useLayoutEffect(() => setCovered(buttons.current?.offsetWidth ?? 0));
  useToastPlace(tail, covered);
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset['toasts'] = 'tail';
    return () => {
      delete dataset['toasts'];
    };
  }, []);
  const { standing: Standing, isReadOnly } = use(TerminalSlotsContext);
  const open = useBenchStatus(openCount);
  const shared = useSharing(({ phase }) => phase === 'on');
  const selected = useTerminalSession(({ selectedPort }) => selectedPort);
  const answer = useHiddenAnswer(selected);
  const isPhone = useMediaQuery(media.phone);
  const hasLines = useBenchStatus(({ status }) => status.lines > 0);
  const follows = !isReadOnly && !empty && !split && (open > 0 || pausedAt !== null || Standing !== null);
  return (
    <section
      ref={tail}
      aria-label="Status"
      className={classNames(styles['tail'], follows && pausedAt !== null && styles['paused'])}
    >
      {Standing === null ? null : <Standing />}
      {follows ? (
        <>
          <span className="visually-hidden">{openText(open, shared)}</span>
          <FollowState name="all" pausedAt={pausedAt} onFollow={onFollow} />
        </>
      ) : (
        <>
          {Standing === null ? <OpenPorts open={open} shared={shared} /> : null}
          {hasLines ? <HeldLines name="all" /> : null}
        </>
      )}
      {isPhone && answer !== null ? <HiddenAnswerWords answer={answer} /> : null}
      <span className={styles['end']}>
        {hasLines ? <Keys isLog={isReadOnly} /> : null}
        <span ref={buttons} className={styles['buttons']}>
          {hasLines && !isReadOnly ? (
            <Button size="sm" variant="quiet" aria-keyshortcuts="Shift+C" onClick={() => void clearLog()}>
              Clear
            </Button>
          ) : null}
        </span>
      </span>
    </section>
  );
}

const openText = (open: number, shared: boolean) => `${open} of 4 ports open${shared ? ', shared' : ''}`;

interface OpenPortsProps {
  readonly open: number;
  readonly shared: boolean;
}

function OpenPorts({ open, shared }: OpenPortsProps) {
  const missing = serialSupport() !== 'ready' && open === 0;
  return (
    <>
      <Led tone={missing ? 'danger' : open > 0 ? 'success' : 'off'} />
      <span>{missing ? 'Web Serial missing' : openText(open, shared)}</span>
    </>
  );
}

/** Shortcuts of the log, shown while it has the focus. An opened log has no new lines to follow. */
function Keys({ isLog }: { readonly isLog: boolean }) {
  const otherLayout = useTerminalSettings(displayByHexKey);
  const { find, hex, follow, export: saving, clear } = shortcuts;
  const shown: readonly Shortcut[] = isLog ? [find, hex, saving] : [find, hex, follow, saving, clear];
  return (
    <span className={styles['keys']}>
      {shown.map(({ keys, short }) => (
        <span key={keys}>
          <Kbd>{keyCap(keys)}</Kbd> {short === hex.short ? otherLayout : short}
        </span>
      ))}
    </span>
  );
}
