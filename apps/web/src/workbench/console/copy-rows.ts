/** Rows that are selected → the clipboard, however many of them are on the screen. */
import type { PortNumber, RowLayout } from '@wirebench/serial';
import { getBench } from '../bench.ts';
import type { RowSpan } from './row-selection.ts';

/** From the oldest row to the newest of now; null while there are none. */
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

/** Says how many lines of text were copied, or why none. @param pane only what concerns this port; null for all. */
export async function copyRows(
  { from, to }: RowSpan,
  layout: RowLayout,
  pane: PortNumber | null,
): Promise<{ readonly lines: number } | { readonly failure: string }> {
  try {
    const text = await getBench().call('copyRows', { layout, from, to }, pane);
    await navigator.clipboard.writeText(text);
    return { lines: text.split('\n').length - 1 };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
