/** The JKit file of a panel, which is also its test for a shell. */
import { saveFile } from '../../../../shared/files/save-file.ts';
import type { DevicePanel } from '../model/device-panel.ts';
import { writeJkitFile } from '../model/jkit-file.ts';

/** Saves the file. Returns its name. */
export function saveTestFile(panel: DevicePanel): string {
  const { name, text } = writeJkitFile(panel);
  saveFile(new Blob([text], { type: 'application/json' }), name);
  return name;
}
