/** Copies and saves the selected part of a log, including rows that are not on the screen. */
import { exportFileName, type PortNumber, type RowLayout, type RowRange } from '@wirebench/serial';
import type { CopiedRows, LogPart } from '../../protocol/bench/row-part.ts';
import { copyLater } from '../../shared/files/copy-text.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { lines } from '../../shared/format/numbers.ts';
import { toast } from '../../shared/ui/toast.ts';
import { getBench } from '../bench.ts';
import { copyRows } from '../bench-waits.ts';
import { runExport } from '../exports/save-export.ts';
import { endOfLine, type LogPlace, type LogSpan } from './log-selection.ts';

export interface SelectedText {
  readonly span: LogSpan;
  readonly layout: RowLayout;
  /** True: the text layout shows control bytes. */
  readonly controls: boolean;
  /** True: the log shows a sent line beside its echo. */
  readonly echoes: boolean;
  /** Lines that are copied. Null: all ports. */
  readonly pane: LogPart | null;
}

export interface TextOptions {
  /** True: time, port and direction before each row. */
  readonly times?: boolean;
  /** Names in place of 'Port N'. */
  readonly portNames?: Readonly<Partial<Record<PortNumber, string>>>;
}

/** Returns the end of the newest line, or null if the log is empty. */
export async function endOfLog(): Promise<LogPlace | null> {
  const { rows } = await getBench().call('rows', { layout: 'text', anchor: 'tail', count: 1 });
  const [newest] = rows;
  return newest === undefined ? null : endOfLine(newest);
}

/** Copies the selected text and shows a toast with the number of lines or the failure. */
export async function copySelection(selected: SelectedText, options: TextOptions = {}): Promise<void> {
  await withText('Copying…', 'The lines could not be copied.', selected, options, async (made) => {
    let count = 0;
    const text = made.then((copied) => {
      count = copied.rows;
      return copied.text;
    });
    await copyLater(text, () => `${lines(count)} copied`);
  });
}

/** Saves the selected text to the downloads folder. */
export async function saveSelection(selected: SelectedText, options: TextOptions = {}): Promise<void> {
  await withText('Saving…', 'The lines could not be saved.', selected, options, async (made) => {
    const { text } = await made;
    const name = exportFileName(new Date(), 'txt');
    saveFile(new Blob([text, '\n'], { type: 'text/plain' }), name);
    toast('Selection saved to file', { detail: name });
  });
}

async function withText(
  word: string,
  failure: string,
  selected: SelectedText,
  options: TextOptions,
  use: (made: Promise<CopiedRows>) => Promise<void>,
): Promise<void> {
  let cancelled = () => false;
  const made = runExport(word, (signal) => {
    cancelled = () => signal.aborted;
    return copyRows(rangeOf(selected, options), selected.pane, signal);
  });
  if (made === null) {
    return;
  }
  const held = made.then((copied) => {
    if (copied.rows === 0) {
      throw new Error('They are not in the log any more.');
    }
    return copied;
  });
  try {
    await use(held);
  } catch (error) {
    if (cancelled()) {
      toast(word === 'Copying…' ? 'Copying cancelled' : 'Saving cancelled', { level: 'info' });
      return;
    }
    toast(failure, { level: 'error', detail: error instanceof Error ? error.message : String(error) });
  }
}

function rangeOf(
  { span, layout, controls, echoes }: SelectedText,
  { times = false, portNames }: TextOptions,
): RowRange {
  const { from, to, field } = span;
  return {
    layout,
    from,
    to: { sequence: to.sequence, part: to.part, ...(Number.isFinite(to.column) && { column: to.column }) },
    field,
    controls,
    stamps: times,
    joinsEchoes: !echoes,
    ...(portNames && { portNames }),
  };
}
