/** Connection of the page to the log worker. Its ticks go into the store. */
import type { LogApi, LogTick } from '../../protocol/log-protocol.ts';
import { toast } from '../../shared/ui/toast.ts';
import { revealLine } from '../console/reveal-line.ts';
import { toolLine } from '../tool-line.ts';
import { keptForms } from './kept-forms.ts';
import { takeLogTick } from './log-store.ts';

const logLine = toolLine<LogApi, LogTick>({ tool: () => 'log', onTick: takeLogTick });

export const getLogs = logLine.get;

/** Waits for a call, and shows its error as a toast. */
export async function toastLogError(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { level: 'error' });
  }
}

/** Opens a file on this page, which is that of opened logs, and shows its first lines. */
export function addLog(given: GivenLog): Promise<void> {
  return toastLogError(open(given));
}

async function open({ file, name, lastModified }: GivenLog): Promise<void> {
  await getLogs().call('open', file, name, lastModified, keptForms());
  revealLine(0);
}

/** A file on its way to the page of opened logs. */
export interface GivenLog {
  readonly file: Blob;
  readonly name: string;
  /** In milliseconds since the Unix epoch: the day of times without a date. */
  readonly lastModified: number;
}
