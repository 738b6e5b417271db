/** From the plot to a file in the downloads. */
import { exportFileName, portNumbers } from '@wirebench/serial';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { toast } from '../../../../shared/ui/toast.ts';
import { getBench } from '../../../../workbench/bench.ts';
import type { PortNames } from '../../../../workbench/bench-protocol.ts';
import { portName, terminalSettings } from '../../settings/settings-store.ts';

export async function savePlotCsv(): Promise<void> {
  const names = portNumbers.map((port) => [port, portName(terminalSettings.getState(), port)] as const);
  const portNames = Object.fromEntries(names) as PortNames;
  await save(getBench().call('exportFile', { kind: 'plot', portNames }), 'csv');
}

export async function savePlotImage(image: Promise<Blob>): Promise<void> {
  await save(image, 'png');
}

async function save(file: Promise<Blob>, extension: 'csv' | 'png'): Promise<void> {
  try {
    saveFile(await file, fileName(extension));
    toast('Plot exported to file');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toast(`The file could not be created: ${reason}`, { level: 'error' });
  }
}

const fileName = (extension: 'csv' | 'png') =>
  exportFileName(new Date(), 'csv').replace(/^wirebench-(.*)csv$/, `wirebench-plot-$1${extension}`);
