/** Exports data of the bench to a file in the downloads folder. One export runs at a time, and it can be cancelled. */

import type { ExportRequest } from '../../protocol/bench/row-part.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { toast } from '../../shared/ui/toast.ts';
import { exportFile } from '../bench-waits.ts';

/** The running export: its controller and the word for it. */
let running: { readonly controller: AbortController; readonly word: string } | null = null;

export function cancelExport(): void {
  running?.controller.abort();
}

/** Returns the word for the running export: 'Saving…' or 'Copying…'. */
export const exportWord = (): string => running?.word ?? 'Saving…';

export interface ExportWords {
  /** Text shown after success. */
  readonly done: string;
  /** Advice shown after a failure. */
  readonly remedy: string;
}

/**
 * Runs one export at a time. A second one is refused with a message.
 *
 * @returns The result, or null if the export was refused. Rejects if it fails or is cancelled.
 */
export function runExport<Result>(
  word: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> | null {
  if (running !== null) {
    toast('A file is being saved. Wait for it, or cancel it first.', { level: 'info' });
    return null;
  }
  const current = { controller: new AbortController(), word };
  running = current;
  return work(current.controller.signal).finally(() => {
    running = null;
  });
}

/** Saves a file of the bench's data. Returns true once the browser has it. */
export async function saveExport(
  request: ExportRequest,
  name: string,
  { done, remedy }: ExportWords,
): Promise<boolean> {
  let cancelled = () => false;
  const made = runExport('Saving…', (signal) => {
    cancelled = () => signal.aborted;
    return exportFile(request, signal);
  });
  if (made === null) {
    return false;
  }
  try {
    saveFile(await made, name);
    toast(done, { detail: name });
    return true;
  } catch (error) {
    if (cancelled()) {
      toast('Saving cancelled', { level: 'info' });
      return false;
    }
    const reason = error instanceof Error ? error.message : String(error);
    toast('The file could not be saved.', { level: 'error', detail: `${reason} ${remedy}` });
    return false;
  }
}
