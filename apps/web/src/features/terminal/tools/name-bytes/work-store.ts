/**
 * The decoder that is built for each port. It is kept until the page is closed, so that a closed tool loses nothing.
 * The worker tries each change on the bytes that the log holds, and shows the log with it while the tool is open.
 */
import type { DecoderContent } from '@wirebench/contract/decoders';
import type { PortNumber } from '@wirebench/serial';
import type { TrialDraft, TriedDecoder, WantedTrialFrame } from '../../../../protocol/bench/trial-part.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { keptFiles } from '../../../../workbench/decoders/decoder-files.ts';
import type { OwnDecoderId } from '../../../../workbench/decoders/decoder-id.ts';
import { keptDecoder, saveDecoderDraft, titleOf } from '../../../../workbench/decoders/kept-decoders.ts';
import { changeDecoder, changeTrial } from '../../settings/settings-store.ts';
import { changeTerminalSession } from '../../terminal-session.ts';
import { showTool } from '../open-tool.ts';
import { type ByteRange, shortened } from './decoder-draft.ts';

export interface DecoderWork {
  readonly draft: DecoderContent;
  /** Decoder that cut the port's frames before; null: none, or several. */
  readonly before: DecoderContent | null;
  /** Kept decoder that *Save* writes; null: it is not kept yet. */
  readonly id: OwnDecoderId | null;
  /** Draft as it was last saved; null: never. */
  readonly saved: DecoderContent | null;
  /** `frames`: the framing is chosen. `fields`: bytes are named. */
  readonly step: 'frames' | 'fields';
  /** Frame whose bytes are shown; null: the newest one. */
  readonly example: WantedTrialFrame | null;
  /** Selected bytes. Those of an opened frame are offsets on the wire until the frame is found. */
  readonly selected: (ByteRange & { readonly isOnWire: boolean }) | null;
  /** True: the log was shown with it. If another decoder was chosen since, that one stays. */
  readonly wasApplied: boolean;
}

/** A decoder with which work begins. */
export type DecoderStart = Pick<DecoderWork, 'draft' | 'before' | 'id' | 'saved'>;

type Works = Readonly<Partial<Record<PortNumber, DecoderWork>>>;

const works = pageStore<{ readonly ports: Works; readonly asked: AskedFrame | null }>({ ports: {}, asked: null });

/** A frame of the log whose bytes a person wants to name. */
export interface AskedFrame {
  readonly port: PortNumber;
  readonly frame: WantedTrialFrame;
  /** Bytes of the frame as it came; null: none are selected. */
  readonly selected: ByteRange | null;
}

export function useWork(port: PortNumber): DecoderWork | null {
  return works.use(({ ports }) => ports[port] ?? null);
}

export const workNow = (port: PortNumber): DecoderWork | null => works.getState().ports[port] ?? null;

/** Frame with which the tool was opened, until a decoder is built for it. */
export function useAskedFrame(port: PortNumber): AskedFrame | null {
  return works.use(({ asked }) => (asked?.port === port ? asked : null));
}

/** True: the next bytes that are shown get the focus, because a person has asked for them. */
let wantsFocus = false;

/** Focuses the bytes of the frame with which the tool was opened. */
export function focusAsked(grid: HTMLElement): void {
  if (wantsFocus) {
    wantsFocus = false;
    grid.focus();
  }
}

/** The frame was shown: it is not asked for any more. */
export function endAsked(): void {
  works.setState({ asked: null });
}

/** Opens the tool with a frame of the log. */
export function describeFrame(asked: AskedFrame): void {
  const { port, frame, selected } = asked;
  wantsFocus = true;
  changeTerminalSession({ selectedPort: port });
  works.setState({ asked });
  if (workNow(port) !== null) {
    changeWork(port, { example: frame, selected: onWire(selected), step: 'fields' });
  }
  showTool('name-bytes');
}

const onWire = (selected: ByteRange | null) => (selected === null ? null : { ...selected, isOnWire: true });

/** Begins with a draft. A frame with which the tool was opened is its example. */
export function startWork(port: PortNumber, work: DecoderStart & Pick<DecoderWork, 'step'>): void {
  const { ports, asked } = works.getState();
  const isAsked = asked?.port === port;
  works.setState({
    ports: {
      ...ports,
      [port]: {
        ...work,
        example: isAsked ? asked.frame : null,
        selected: isAsked ? onWire(asked.selected) : null,
        wasApplied: false,
      },
    },
    asked: isAsked ? null : asked,
  });
}

export function changeWork(port: PortNumber, change: Partial<DecoderWork>): void {
  const { ports } = works.getState();
  const work = ports[port];
  if (work !== undefined) {
    works.setState({ ports: { ...ports, [port]: { ...work, ...change } } });
  }
}

/** Gives the draft up. The log has its former decoder again. */
export async function discardWork(port: PortNumber): Promise<void> {
  const { [port]: _, ...ports } = works.getState().ports;
  works.setState({ ports });
  await endTrial(port, false);
}

/** Keeps the draft in this browser, and gives it to the port. Returns a sentence if it cannot be kept; null: it is. */
export async function saveWork(port: PortNumber, { draft, id, saved }: DecoderWork): Promise<string | null> {
  try {
    const text = id === null ? null : (keptDecoder(id)?.text ?? null);
    if (text !== null) {
      const { checkDecoder } = await import('@wirebench/contract/decoders');
      const { content } = checkDecoder(text);
      if (JSON.stringify(content) !== JSON.stringify(saved)) {
        changeWork(port, { saved: content });
        return `${titleOf(text)} was changed in the meantime, in Decoders or in another tab. Save again to replace it.`;
      }
    }
    const kept = await saveDecoderDraft(shortened(draft), draft.title, id ?? undefined);
    if (!kept.ok) {
      return kept.reason;
    }
    // The port has the kept decoder from now on. Held frames keep their names.
    changeWork(port, { id: kept.id, saved: draft, before: draft, wasApplied: false });
    await endTrial(port, true);
    changeDecoder(port, kept.id);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns true while the draft is as it was saved. */
export const isSaved = ({ draft, saved }: DecoderWork): boolean =>
  saved !== null && JSON.stringify(saved) === JSON.stringify(draft);

/** Shows the log with the draft. Returns its faults, with which the log stays as it was. */
export async function applyWork(port: PortNumber, { draft, before }: DecoderWork): Promise<readonly string[]> {
  const faults = await getBench().call('applyDecoder', port, await trialOf(draft), before);
  if (faults.length === 0 && workNow(port) !== null) {
    changeTrial(port, true);
    changeWork(port, { wasApplied: true });
  }
  return faults;
}

export async function tryWork(
  port: PortNumber,
  { draft, example }: Pick<DecoderWork, 'draft' | 'example'>,
): Promise<TriedDecoder> {
  return getBench().call('tryDecoder', port, await trialOf(draft), example);
}

/** @param isKept True: the decoder stays at work on the port. */
async function endTrial(port: PortNumber, isKept: boolean): Promise<void> {
  if (!isKept) {
    changeTrial(port, false);
  }
  await getBench().call('endTrial', port, isKept);
}

/** Returns a draft as the worker takes it, with its files. A draft without a title yet has the one of its name. */
export async function trialOf(draft: DecoderContent): Promise<TrialDraft> {
  const content = draft.title.trim() === '' ? { ...draft, title: draft.name } : draft;
  const files = draft.files.length === 0 ? new Map() : await keptFiles(draft.files.map(({ sha256 }) => sha256));
  return { content, files };
}
