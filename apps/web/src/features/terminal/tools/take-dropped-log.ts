import type { RereadableFile } from '../../../shared/files/changed-files.ts';
import { addCrashFile } from '../../../workbench/crash/symbol-files.ts';
import { readUse } from './dropped-files.tsx';
import { showTool } from './open-tool.ts';

/** Names of captured bytes. A binary file of another name is taken for symbols or a core dump. */
const logName = /\.(?:log|txt|cap|raw)$|^wirebench-.*\.bin$/i;

/** Opens logs with `open`, on the page of opened logs. Symbols and dumps open in the crash inspector. */
export async function takeDroppedLog({ file, reread }: RereadableFile, open: (file: File) => void): Promise<void> {
  if ((await readUse(file)) === 'crashes' && !logName.test(file.name)) {
    void addCrashFile(file, reread === undefined ? {} : { reread });
    showTool('crashes');
  } else {
    open(file);
  }
}
