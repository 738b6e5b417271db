/** Strip above the send bar with pasted lines: what to do with them, then how many went. */
import { type PortNumber, promptIn } from '@wirebench/serial';
import { ClipboardPaste, Square, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { converse, pasteOnBench } from '../../../workbench/bench-waits.ts';
import { portStates } from '../open-ports-of.ts';
import { runPort } from '../panels/run/run-files.ts';
import { changePort, portName, terminalSettingsNow, useTerminalSettings } from '../settings/settings-store.ts';
import { longestLinePause } from '../settings/terminal-settings.ts';
import { useTerminalSession } from '../terminal-session.ts';
import styles from './paste-dock.module.css';
import {
  cancelPaste,
  type OfferedPaste,
  offerRest,
  type PasteState,
  pasteDock,
  sendLinesId,
  takePaste,
  usePasteDock,
} from './paste-dock-store.ts';
import {
  codeFault,
  type PasteEnd,
  type PasteWay,
  pasteEndText,
  pasteFault,
  pasteOf,
  sendLines,
} from './paste-lines.ts';
import { joinedLines } from './pasted-lines.ts';
import { portRefusal } from './send-message.ts';
import { PiecesField } from './send-options.tsx';

export interface PasteDockProps {
  /** Sends the joined lines as one message. */
  readonly onOneLine: (text: string) => void;
  /** Called when the dock has closed, to return the focus. */
  readonly onLeave: () => void;
}

export function PasteDock({ onOneLine, onLeave }: PasteDockProps) {
  const paste = usePasteDock((dock) => dock.paste);
  const escaped = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && paste?.kind !== 'sending') {
      event.preventDefault();
      event.stopPropagation();
      cancelPaste();
      onLeave();
    }
  };
  return paste === null ? null : (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be part of the form's own fields
    <div role="group" aria-label="Pasted lines" className={styles['dock']} onKeyDown={escaped}>
      {paste.kind === 'asking' ? (
        <Asking paste={paste} onOneLine={onOneLine} onLeave={onLeave} />
      ) : paste.kind === 'sending' ? (
        <Sending paste={paste} />
      ) : (
        <Ended paste={paste} onLeave={onLeave} />
      )}
    </div>
  );
}

type AskingProps = PasteDockProps & { readonly paste: Extract<PasteState, { kind: 'asking' }> };

function Asking({ paste, onOneLine, onLeave }: AskingProps) {
  const { lines, offered } = paste;
  const { how, intoField, asOne } = offered;
  const port = useTerminalSession((session) => session.selectedPort);
  const asksForSecret = useBenchStatus(({ status }) => status.ports[port].asks !== null);
  const hidden = offered.hidden ?? asksForSecret;
  const prompt = usePrompt(port);
  const [chosen, setChosen] = useState<'code' | 'prompt' | 'pause' | null>(null);
  const linePause = useTerminalSettings(({ ports }) => ports[port].linePause);
  const [typed, setTyped] = useState<{ readonly port: PortNumber; readonly pause: string } | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  // The log has no hidden line that a wait belongs to.
  const canWait = prompt !== null && !hidden;
  const canRun = canWait && prompt === pythonPrompt && how.mode === 'text';
  const ways = [
    ...(canRun ? [{ value: 'code', label: 'Paste mode' } as const] : []),
    ...(canWait ? [{ value: 'prompt', label: `Wait for ${prompt}` } as const] : []),
    { value: 'pause', label: 'Pause' } as const,
  ];
  const way = ways.find(({ value }) => value === chosen)?.value ?? ways[0]?.value ?? 'pause';
  const fault = way === 'code' ? codeFault(lines) : pasteFault(lines, how);
  const error = fault ?? refusal;
  const joined = joinedLines(lines);
  const canJoin = pasteFault([joined], how) === null;
  const pause = typed?.port === port ? typed.pause : String(linePause);
  const pauseTime = readPause(pause);
  const send = () => {
    const refused =
      portRefusal(port, portStates(benchStatus.tick)) ??
      (way === 'pause' && pauseTime === null ? `Enter a pause from 0 to ${longestLinePause} ms.` : null);
    setRefusal(refused);
    if (refused === null) {
      const prompted: PasteWay = { prompt: prompt ?? '' };
      void sendPaste(port, way === 'code' ? 'code' : way === 'prompt' ? prompted : { pause: pauseTime ?? 0 });
      onLeave();
    }
  };
  return (
    <>
      <ClipboardPaste className={styles['icon']} aria-hidden />
      <span className={styles['what']}>
        <b>{lines.length} lines pasted</b>
        {hidden ? null : <span className={styles['lines']}>{preview(lines)}</span>}
      </span>
      <span className={styles['acts']}>
        <span className={styles['after']}>{canRun ? 'Python' : 'After each line'}</span>
        {ways.length > 1 ? (
          <Segmented
            label={canRun ? 'Way to paste' : 'After each line'}
            value={way}
            options={ways}
            onChange={setChosen}
          />
        ) : (
          <span>pause</span>
        )}
        {way === 'pause' ? (
          <span className={styles['pause']}>
            <TextInput
              mono
              aria-label="Pause in milliseconds"
              inputMode="numeric"
              autoComplete="off"
              value={pause}
              aria-invalid={pauseTime === null || undefined}
              onChange={(event) => {
                const text = event.currentTarget.value;
                const time = readPause(text);
                setTyped({ port, pause: text });
                setRefusal(null);
                if (time !== null) {
                  changePort(port, { linePause: time });
                }
              }}
            />
            ms
          </span>
        ) : null}
        {way === 'code' ? (
          <span className={styles['after']}>the board runs it as a file</span>
        ) : (
          <PiecesField port={port} />
        )}
        {fault === null ? (
          <Button id={sendLinesId} size="sm" variant="primary" onClick={send}>
            {way === 'code' ? 'Run' : 'Send'} {lines.length} lines
          </Button>
        ) : null}
        {canJoin || asOne !== undefined ? (
          <Button
            size="sm"
            onClick={() => {
              cancelPaste();
              if (asOne === undefined) {
                onOneLine(joined);
              } else {
                asOne(offered.text);
              }
              onLeave();
            }}
          >
            As one line
          </Button>
        ) : null}
        {intoField === undefined ? null : (
          <Button
            size="sm"
            onClick={() => {
              takePaste();
              onLeave();
            }}
          >
            Into the field
          </Button>
        )}
        <Button
          size="sm"
          variant="quiet"
          onClick={() => {
            cancelPaste();
            onLeave();
          }}
        >
          Cancel
        </Button>
      </span>
      <span role="alert" className={styles['fault']}>
        {error === null ? null : <FieldError>{error}</FieldError>}
      </span>
    </>
  );
}

function Sending({ paste }: { readonly paste: Extract<PasteState, { kind: 'sending' }> }) {
  const { port, lines, sent, isCode } = paste;
  const name = useTerminalSettings((settings) => portName(settings, port));
  return (
    <>
      <PortFlag port={port} />
      <span className={styles['what']}>
        <b>
          {sent} of {lines.length} lines
        </b>{' '}
        {isCode ? 'pasted on' : 'sent to'} {name}
      </span>
      <ProgressBar className={styles['progress']} label="Sent lines" done={sent / lines.length} />
      <span className={styles['acts']}>
        <Button size="sm" icon={<Square />} aria-label="Stop sending lines" onClick={cancelPaste}>
          Stop
        </Button>
      </span>
    </>
  );
}

interface EndedProps {
  readonly paste: Extract<PasteState, { kind: 'ended' }>;
  readonly onLeave: () => void;
}

function Ended({ paste, onLeave }: EndedProps) {
  const { port, text, rest, total } = paste;
  const isOpen = useBenchStatus((view) => portStates(view)[port] === 'connected');
  return (
    <>
      <PortFlag port={port} off={!isOpen} />
      <span className={classNames(styles['what'], styles['ended'])}>{text}</span>
      <span className={styles['acts']}>
        {isOpen && rest.length > 1 ? (
          <Button size="sm" onClick={offerRest}>
            {rest.length === total ? 'Paste again' : `Send the other ${rest.length}`}
          </Button>
        ) : null}
        <Button
          size="sm"
          variant="quiet"
          icon={<X />}
          aria-label="Close"
          onClick={() => {
            cancelPaste();
            onLeave();
          }}
        />
      </span>
    </>
  );
}

/** Returns the prompt of the board on `port`, read when the dock opens and when the port changes. */
function usePrompt(port: PortNumber): string | null {
  const [found, setFound] = useState<{ readonly port: PortNumber; readonly prompt: string | null } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void promptOf(port).then((prompt) => {
      if (isCurrent) {
        setFound({ port, prompt });
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [port]);
  return found?.port === port ? found.prompt : null;
}

/** Prompt of MicroPython and CircuitPython. */
const pythonPrompt = '>>>';

/** Longest preview in characters. A strip has room for fewer. */
const longestPreview = 200;

const preview = (lines: readonly string[]) => lines.slice(0, 20).join(' ⏎ ').slice(0, longestPreview);

function readPause(text: string): number | null {
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value <= longestLinePause ? value : null;
}

/** Sends the lines of the dock to `port`. */
async function sendPaste(port: PortNumber, way: PasteWay): Promise<void> {
  const { paste } = pasteDock.getState();
  if (paste?.kind !== 'asking') {
    return;
  }
  const { lines, offered } = paste;
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const sending = { kind: 'sending', port, lines, isCode: way === 'code', stop } as const;
  const onSent = (sent: number) => pasteDock.setState({ paste: { ...sending, sent } });
  pasteDock.setState({ paste: { ...sending, sent: 0 }, said: '' });
  const end = await pasted({ port, lines, offered, way, signal: stopped.signal, onSent });
  const name = portName(terminalSettingsNow(), port);
  const text = pasteEndText(end, lines.length, name, way);
  if (end.kind === 'done') {
    pasteDock.setState({ paste: null, said: text });
    return;
  }
  // Code that did not run is offered as a whole.
  const rest = way === 'code' ? lines : lines.slice(end.sent);
  pasteDock.setState({ paste: { kind: 'ended', port, text, offered, rest, total: lines.length }, said: text });
  await getBench().call('notice', end.kind === 'cancelled' ? 'info' : 'warning', text, port);
}

interface PasteRun {
  readonly port: PortNumber;
  readonly lines: readonly string[];
  readonly offered: OfferedPaste;
  readonly way: PasteWay;
  readonly signal: AbortSignal;
  readonly onSent: (sent: number) => void;
}

/** Sends the lines. Never rejects. */
async function pasted({ port, lines, offered, way, signal, onSent }: PasteRun): Promise<PasteEnd> {
  const { how, hidden } = offered;
  if (typeof way === 'object' && 'prompt' in way) {
    const conversation = converse(port);
    const { prompt } = way;
    const end = await sendLines({ lines, how, prompt, port: runPort(conversation, hidden), signal, onSent });
    // The end is known; a bench that is lost has said so.
    void conversation.close().catch(() => undefined);
    return end;
  }
  let sent = 0;
  const count = (lines: number) => {
    sent = lines;
    onSent(lines);
  };
  try {
    return await pasteOnBench(port, pasteOf(lines, how, way === 'code' ? null : way.pause, hidden), signal, count);
  } catch (error) {
    return { kind: 'failed', sent, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Number of received lines that are searched for a prompt. */
const searchedLines = 100;

/** Returns the prompt that the board on `port` shows, or null. */
async function promptOf(port: PortNumber): Promise<string | null> {
  const query = { layout: 'text', anchor: 'tail', count: searchedLines, channels: [`received-${port}`] } as const;
  const { rows } = await getBench().call('rows', query);
  return promptIn(
    rows.map(({ text }) => text),
    rows.at(-1)?.open ?? false,
  );
}
