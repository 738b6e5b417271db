/** The monitor: the workbench's console on the board that was flashed, at a baud rate of its own. */
import { type AskedSecret, encodeInput, type LineEnding, type PortNumber } from '@wirebench/serial';
import { ChevronRight, Download, Play, RotateCcw, Square, SquareTerminal } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, useId, useState } from 'react';
import { media } from '../../../shared/styles/media.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import { answerHiding, canHideOn, hidingInLog, showAnswer, useAskedSecret } from '../../../workbench/asked-secret.ts';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { ConsoleLog, type ConsoleLogProps } from '../../../workbench/console/console-log.tsx';
import { ExportStrip } from '../../../workbench/exports/export-strip.tsx';
import { HiddenAnswerStrip } from '../../../workbench/hidden-answer-strip.tsx';
import { TakeBackButton } from '../../../workbench/sharing/used-port.tsx';
import { Fold } from '../fold.tsx';
import { isBusy, isReady } from '../state/flash-state.ts';
import { useFlash, useFlasher } from '../store/flasher-store.ts';
import { closeMonitor, openInTerminal, openMonitor, resetMonitored, saveMonitorLog } from '../store/monitor-actions.ts';
import { useAcquiredPort } from '../store/port-owners.ts';
import styles from './monitor.module.css';
import { MonitorMessages } from './monitor-messages.tsx';

/** In px. */
const rowHeight = 20;

const onPhone = () => matchMedia(media.phone).matches;

export type MonitorProps = Pick<ConsoleLogProps, 'onOpenDump'>;

export function Monitor({ onOpenDump }: MonitorProps) {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const open = useBenchStatus(({ status }) => status.ports[port].state !== 'disconnected');
  const used = useBenchStatus(({ status }) => status.lines > 0);
  // A free place beside ports that the terminal has open.
  const isEmpty = useBenchStatus(({ status }) => status.ports[port].connectedAt === null) && phase === 'none';
  const attached = useBenchStatus(({ devices }) => devices[port] !== null);
  const user = useBenchStatus(({ users }) => users[port]);
  const resets = useFlash(({ board }) => (board?.console?.reset ?? null) !== null);
  const known = useFlash(({ board }) => board !== null);
  const isAcquired = useAcquiredPort(port) !== null;
  const rate = useFlasher(({ settings }) => settings.monitorBaudRate);
  const silent = useFlash(({ board }) => board !== null && board.console === null);
  const watch = useFlasher(({ watches }) => watches[port]);
  const last = useFlasher(({ lastLines }) => lastLines[port]);
  // The flasher's own lines stand in it as well, also those about a board that prints nothing.
  const visible = open || (attached && !silent) || (used && !isEmpty);
  // Opening the port shows its log, also after a write. A choice holds until the port is opened or closed.
  // A guest's use of the board is watched there as well.
  const shows = open || user !== null || watch !== null;
  const [choice, setChoice] = useState({ while: shows, unfolded: shows });
  if (!visible) {
    return null;
  }
  const unfolded = choice.while === shows ? choice.unfolded : shows;
  const free = !isBusy({ phase }) && !isReady({ phase });
  return (
    <Fold
      title="Monitor"
      open={unfolded}
      onToggle={(next) => setChoice({ while: shows, unfolded: next })}
      summary={
        open ? (
          `Listening at ${rate} baud`
        ) : unfolded || last === undefined ? (
          'Opens after a write, or when you open it'
        ) : (
          <span className={`ellipsis ${styles['last']}`} data-level={last.level}>
            {last.text}
          </span>
        )
      }
      actions={
        <>
          {watch !== null && unfolded ? <watch.Tools /> : null}
          {used && unfolded ? (
            <Button
              size="sm"
              variant="quiet"
              icon={<Download />}
              aria-label="Save the monitor’s log"
              onClick={() => void saveMonitorLog()}
            >
              <span className={styles['word']}>Save</span>
            </Button>
          ) : null}
          {open && resets ? (
            <Button size="sm" variant="quiet" icon={<RotateCcw />} onClick={() => void resetMonitored(port)}>
              Reset
            </Button>
          ) : null}
          {!known || isAcquired || !free || !attached || user !== null ? null : (
            <Button
              size="sm"
              variant="quiet"
              icon={<SquareTerminal />}
              aria-label="Open in terminal"
              onClick={() => openInTerminal(port)}
            >
              <span className={styles['word']}>Terminal</span>
            </Button>
          )}
          {user !== null ? (
            <TakeBackButton port={port} user={user} />
          ) : open && watch !== null ? null : open ? (
            <Button size="sm" variant="quiet" icon={<Square />} onClick={() => void closeMonitor(port)}>
              Close
            </Button>
          ) : free && attached && !silent ? (
            <Button size="sm" variant="quiet" icon={<Play />} onClick={() => void openMonitor(port)}>
              Open
            </Button>
          ) : null}
        </>
      }
    >
      <div className={styles['log']} data-watched={watch === null ? undefined : ''}>
        <ConsoleLog
          key={port}
          pane={port}
          label="Monitor"
          layout="text"
          rowHeight={rowHeight}
          wrap={onPhone()}
          controls={false}
          times="clock"
          marks={false}
          lineEnds={false}
          onFollowing={() => undefined}
          onSelected={() => undefined}
          onInspected={() => undefined}
          {...(onOpenDump && { onOpenDump })}
        />
      </div>
      {watch === null || watch.strip === null ? null : <p className={styles['strip']}>{watch.strip}</p>}
      <ExportStrip />
      {silent ? null : (
        <>
          <MonitorMessages port={port} />
          <SendLine port={port} />
        </>
      )}
    </Fold>
  );
}

const endings = { lf: 'LF', crlf: 'CRLF', cr: 'CR', none: 'No line ending' } satisfies Record<LineEnding, string>;

function SendLine({ port }: { readonly port: PortNumber }) {
  const connected = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  const ending = useFlasher(({ settings }) => settings.lineEnding);
  const [text, setText] = useState('');
  const asked = useAskedSecret(port);
  const canHide = useBenchStatus((view) => canHideOn(view, port));
  /** Secret that the board asked for when the text was typed as dots. */
  const [typedSecret, setTypedSecret] = useState<AskedSecret | null>(null);
  const secret = asked !== null && !asked.isShown ? asked.secret : typedSecret;
  const saidSecret = secret ?? asked?.secret ?? null;
  const [refusal, setRefusal] = useState<string | null>(null);
  useNextAction(refusal !== null, () => setRefusal(null));
  const errorId = useId();
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const encoded = encodeInput(text, 'text', ending);
    if (!encoded.ok) {
      setRefusal(encoded.message);
      return;
    }
    const hiding = hidingInLog(secret !== null ? true : answerHiding([port]), port);
    setText('');
    setTypedSecret(null);
    setRefusal(null);
    // The timeline shows a refusal together with everything else about the port.
    await getBench()
      .call('send', port, encoded.bytes, hiding)
      .catch(() => undefined);
  };
  const noCopy = (event: ClipboardEvent) => (secret === null ? undefined : event.preventDefault());
  return (
    <>
      {saidSecret === null ? null : (
        <HiddenAnswerStrip
          port={port}
          secret={saidSecret}
          isShown={secret === null}
          canHide={canHide}
          onShow={(isShown) => {
            showAnswer(port, isShown);
            setTypedSecret(null);
          }}
        />
      )}
      <form className={`row ${styles['send']}`} onSubmit={(event) => void send(event)}>
        <TextInput
          mono
          className={secret === null ? undefined : styles['dots']}
          aria-label="Message to the board"
          placeholder="Send to the board"
          value={text}
          autoComplete="off"
          spellCheck={false}
          disabled={!connected}
          aria-invalid={refusal === null ? undefined : true}
          aria-describedby={refusal === null ? undefined : errorId}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            setTypedSecret(value === '' ? null : secret);
          }}
          onCopy={noCopy}
          onCut={noCopy}
        />
        <span className={styles['ending']}>{endings[ending]}</span>
        <Button type="submit" icon={<ChevronRight />} disabled={!connected}>
          Send
        </Button>
        <span id={errorId} role="alert" className={styles['fault']}>
          {refusal}
        </span>
      </form>
    </>
  );
}
