/** Exports data of the bench to a file in the downloads folder. One export runs at a time, and it can be cancelled. */

import type { ExportRequest } from '../../protocol/bench-protocol.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { toast } from '../../shared/ui/toast.ts';
import { exportFile } from '../bench-waits.ts';

/** Controller of the running export. */
let running: AbortController | null = null;

export function cancelExport(): void {
  running?.abort();
}

export interface ExportWords {
  /** Text shown after success. */
  readonly done: string;
  /** Advice shown after a failure. */
  readonly remedy: string;
}

export async function saveExport(request: ExportRequest, name: string, { done, remedy }: ExportWords): Promise<void> {
  if (running !== null) {
    toast('An export is under way. Wait for it, or cancel it first.', { level: 'info' });
    return;
  }
  const controller = new AbortController();
  running = controller;
  try {
    saveFile(await exportFile(request, controller.signal), name);
    toast(done);
  } catch (error) {
    if (controller.signal.aborted) {
      toast('Export cancelled', { level: 'info' });
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    toast('The export failed.', { level: 'error', detail: `${reason} ${remedy}` });
  } finally {
    running = null;
  }
}
