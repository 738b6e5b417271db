/** Exports the log to a file in the downloads folder. */
import { exportFileName, type PortNumber, portNumbers } from '@wirebench/serial';
import type { PortNames } from '../../../protocol/bench/port-part.ts';
import type { ExportRequest } from '../../../protocol/bench/row-part.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { saveExport } from '../../../workbench/exports/save-export.ts';
import { portName, terminalSettingsNow } from '../settings/settings-store.ts';

/** @param shownOnly True: omit the lines that a filter hides. */
export async function exportLog(kind: 'text' | 'csv', shownOnly = false): Promise<void> {
  if (benchStatus.tick.status.lines === 0) {
    toast('There is nothing to save yet.', { level: 'info' });
    return;
  }
  const name = exportFileName(new Date(), kind === 'text' ? 'txt' : 'csv');
  const names = Object.fromEntries(portNumbers.map((port) => [port, portName(terminalSettingsNow(), port)]));
  await saveAndNote({ kind, portNames: names as PortNames, shownOnly }, name);
}

/** Exports the raw bytes that the port received, as far as they are still in the buffer. */
export async function exportRaw(port: PortNumber): Promise<void> {
  const name = exportFileName(new Date(), 'bin').replace(/\.bin$/, `-port-${port}.bin`);
  await saveAndNote({ kind: 'raw', port }, name);
}

/** Saves the file, and names it in the log. An opened log is not changed. */
async function saveAndNote(request: ExportRequest, name: string): Promise<void> {
  const saved = await saveExport(request, name, words);
  const isOpened = portNumbers.some((port) => benchStatus.tick.devices[port]?.kind === 'log');
  if (saved && !isOpened) {
    await getBench().call('notice', 'info', `Saved: ${name}`, null);
  }
}

const words = { done: 'Messages exported to file', remedy: 'Make the buffer smaller, or record instead.' };
