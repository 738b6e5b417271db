/** Opens recordings of this browser as logs in a tab of their own. */
import { parseRecordingFileName } from '../../../protocol/recording-index.ts';
import { recordedFile } from '../../../shared/storage/recording-folder.ts';
import type { GivenLog } from '../../../workbench/opened-log/log-line.ts';
import { openLogs } from '../../../workbench/opened-log/open-log.ts';

/** Opens a recording. Call it from a click. */
export function openRecording(names: readonly string[]): void {
  openLogs(Promise.all(recordingLogs(names).map(joinedLog)));
}

/**
 * Returns the files of each log of a recording: its text, which has all ports, else the bytes of each port. Parts are in
 * order.
 */
export function recordingLogs(names: readonly string[]): string[][] {
  const logs = new Map<number | null, string[]>();
  for (const name of names.toSorted(byPart)) {
    const file = parseRecordingFileName(name);
    if (file?.type === 'text' || file?.type === 'raw') {
      logs.set(file.port, [...(logs.get(file.port) ?? []), name]);
    }
  }
  const text = logs.get(null);
  return text === undefined ? [...logs.values()] : [text];
}

const partOf = (name: string) => parseRecordingFileName(name)?.part ?? 0;
const portOf = (name: string) => parseRecordingFileName(name)?.port ?? 0;
const byPart = (a: string, b: string) => portOf(a) - portOf(b) || partOf(a) - partOf(b);

async function joinedLog(names: readonly string[]): Promise<GivenLog> {
  const files = await Promise.all(names.map(recordedFile));
  // A Blob of files refers to them; their bytes stay on the disk.
  const file = files.length === 1 && files[0] !== undefined ? files[0] : new Blob(files);
  const [first = ''] = names;
  return {
    file,
    name: first.replace(/-part-\d+(?=\.\w+$)/, ''),
    lastModified: Math.max(...files.map(({ lastModified }) => lastModified)),
  };
}
