/** The engine of runs with its sentences, the file of a transcript, and the command of a run. Loaded with the first use. */

import { defaultPortSettings, type PortSettings } from '@wirebench/port';
import { type Transcript, transcriptText } from '@wirebench/runs';
import { exportFileName } from '@wirebench/serial';
import { copyText } from '../../../../shared/files/copy-text.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { terminalSettingsNow } from '../../settings/settings-store.ts';
import { type DevicePanel, noTarget } from '../model/device-panel.ts';

export { exchangeNote, runReport, runSteps } from '@wirebench/runs';

/** Saves the transcript as a text file, named after the time of the run. */
export function saveTranscript(transcript: Transcript): void {
  const name = exportFileName(new Date(transcript.log.startedAt), 'txt');
  saveFile(
    new Blob([transcriptText(transcript)], { type: 'text/plain' }),
    name.replace('wirebench-', 'wirebench-run-'),
  );
}

/**
 * Copies the command line that runs a panel's messages as a test in a shell.
 *
 * @param name Name of the panel's JKit file.
 */
export function copyCommand({ pinnedTargetPort: target }: DevicePanel, name: string): Promise<void> {
  const settings = target === noTarget ? defaultPortSettings : terminalSettingsNow().ports[target].settings;
  return copyText(
    commandOf(name, settings),
    `Command copied. Save the panel as ${name} for it, and write the port's name in place of PORT.`,
  );
}

/** Returns the command line for a JKit file. Settings of the port with their default value are left out. */
export function commandOf(file: string, settings: PortSettings): string {
  const { baudRate, dataBits, stopBits, parity, flowControl, linesAtOpen = 'dtr' } = settings;
  const options = [
    [baudRate, defaultPortSettings.baudRate, '--baud'],
    [dataBits, defaultPortSettings.dataBits, '--data-bits'],
    [stopBits, defaultPortSettings.stopBits, '--stop-bits'],
    [parity, defaultPortSettings.parity, '--parity'],
    [flowControl, defaultPortSettings.flowControl, '--flow'],
    [linesAtOpen, 'dtr', '--lines'],
  ].flatMap(([value, usual, flag]) => (value === usual ? [] : [`${flag} ${value}`]));
  return ['wirebench test', file, '--port PORT', ...options].join(' ');
}
