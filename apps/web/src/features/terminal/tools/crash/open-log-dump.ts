/** Opens the crash panel for a core dump in the log. */
import { readLogDump } from '../../../../workbench/crash/log-dump.ts';
import type { LogDumpPlace } from '../../../../workbench/crash/symbol-files.ts';
import { showTool } from '../open-tool.ts';
import { chooseCrash } from './chosen-crash.ts';

export async function openLogDump(place: LogDumpPlace): Promise<void> {
  const dump = await readLogDump(place);
  if (dump !== null) {
    chooseCrash({ dump });
    showTool('crashes');
  }
}
