/** Exports the log to a file in the downloads folder. */
import { exportFileName, type PortNumber, portNumbers } from '@wirebench/serial';
import type { PortNames } from '../../../protocol/bench-protocol.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { saveExport } from '../../../workbench/exports/save-export.ts';
import { portName, terminalSettingsNow } from '../settings/settings-store.ts';

/** @param shownOnly True: omit the lines that a filter hides. */
export async function exportLog(kind: 'text' | 'csv', shownOnly = false): Promise<void> {
  if (benchStatus.tick.status.lines === 0) {
    toast('There is nothing to export yet.', { level: 'info' });
    return;
  }
  const name = exportFileName(new Date(), kind === 'text' ? 'txt' : 'csv');
  const names = Object.fromEntries(portNumbers.map((port) => [port, portName(terminalSettingsNow(), port)]));
  await saveExport({ kind, portNames: names as PortNames, shownOnly }, name, words);
}

/** Exports the raw bytes that the port received, as far as they are still in the buffer. */
export async function exportRaw(port: PortNumber): Promise<void> {
  const name = exportFileName(new Date(), 'bin').replace(/\.bin$/, `-port-${port}.bin`);
  await saveExport({ kind: 'raw', port }, name, words);
}

const words = { done: 'Messages exported to file', remedy: 'Make the buffer smaller, or record instead.' };
