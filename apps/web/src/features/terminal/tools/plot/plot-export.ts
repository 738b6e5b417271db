/** Exports the plot to a file in the downloads folder. */
import { exportFileName, portNumbers } from '@wirebench/serial';
import type { PortNames } from '../../../../protocol/bench-protocol.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { toast } from '../../../../shared/ui/toast.ts';
import { saveExport } from '../../../../workbench/exports/save-export.ts';
import { portName, terminalSettingsNow } from '../../settings/settings-store.ts';

const done = 'Plot exported to file';

export async function savePlotCsv(): Promise<void> {
  const names = portNumbers.map((port) => [port, portName(terminalSettingsNow(), port)] as const);
  const portNames = Object.fromEntries(names) as PortNames;
  await saveExport({ kind: 'plot', portNames }, fileName('csv'), { done, remedy: 'Plot one port instead of all.' });
}

export async function savePlotImage(image: Promise<Blob>): Promise<void> {
  try {
    saveFile(await image, fileName('png'));
    toast(done);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toast(`The file could not be created: ${reason}`, { level: 'error' });
  }
}

const fileName = (extension: 'csv' | 'png') =>
  exportFileName(new Date(), 'csv').replace(/^wirebench-(.*)csv$/, `wirebench-plot-$1${extension}`);
