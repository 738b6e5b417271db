/** Copies selected rows to the clipboard, including rows that are not on the screen. */
import type { PortNumber, RowLayout } from '@wirebench/serial';
import { copyText } from '../../shared/files/copy-text.ts';
import { toast } from '../../shared/ui/toast.ts';
import { getBench } from '../bench.ts';
import type { RowSpan } from './row-selection.ts';

/** Returns the span from the oldest to the newest row, or null if the log is empty. */
export async function allRows(): Promise<RowSpan | null> {
  const { rows } = await getBench().call('rows', { layout: 'text', anchor: 'tail', count: 1 });
  const [newest] = rows;
  return newest === undefined
    ? null
    : {
        from: { sequence: 0, part: 0 },
        to: { sequence: newest.sequence, part: Number.MAX_SAFE_INTEGER },
      };
}

/**
 * Copies rows and shows a toast with the number of lines or the failure.
 *
 * @param pane Port whose lines are copied. Null: all ports.
 */
export async function copyRows({ from, to }: RowSpan, layout: RowLayout, pane: PortNumber | null): Promise<void> {
  let text: string;
  try {
    text = await getBench().call('copyRows', { layout, from, to }, pane);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toast('The lines could not be copied.', { level: 'error', detail: reason });
    return;
  }
  const lines = text.split('\n').length - 1;
  await copyText(
    text,
    lines === 1 ? '1 line copied' : `${lines.toLocaleString('en').replaceAll(',', '\u2009')} lines copied`,
  );
}
