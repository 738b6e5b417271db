/**
 * Copies what a coding assistant needs: the crash, the last lines, and the commands that read more of the board. What
 * the board has said is fenced as in the answers of `wirebench mcp`.
 */
import { basePath } from '@wirebench/boards';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { fencedText } from '@wirebench/serial/board-fence';
import { hasServer } from '../../shared/edition.ts';
import { copyLater } from '../../shared/files/copy-text.ts';
import { toast } from '../../shared/ui/toast.ts';
import { getBench } from '../../workbench/bench.ts';
import { benchStatus } from '../../workbench/bench-status.ts';
import { copyRows } from '../../workbench/bench-waits.ts';
import { runExport } from '../../workbench/exports/save-export.ts';
import { portName, terminalSettingsNow } from './settings/settings-store.ts';

/** Rows of the log that are copied. The fence keeps the beginning and the end of what is longer than its size. */
const LAST_ROWS = 400;

export interface AgentText {
  /** Crash as the page explains it; null without one. */
  readonly crash: string | null;
  /** Last lines with their times, ports and directions; empty without any. */
  readonly lines: string;
  /** Rate of the board in baud; null without a port of this computer. */
  readonly baudRate: number | null;
  /** Address of this server with the folder of its pages; null if none offers the program. */
  readonly server: string | null;
}

/** Returns the text that is copied. */
export function agentText({ crash, lines, baudRate, server }: AgentText): string {
  const parts = [
    'A serial board, as Wirebench shows it.',
    ...(crash === null ? [] : [fencedText(crash, { source: 'the crash, explained by Wirebench' }).text]),
    ...(lines === '' ? [] : [fencedText(lines, { source: 'the end of the log' }).text]),
  ];
  if (baudRate !== null) {
    const program = server === null ? 'wirebench' : `npx -y ${server}/wirebench.tgz`;
    const commands = [
      'To read more of the board, ask its person to close the port in the page. NAME is its name in the first list.',
      `${program} ports`,
      `${program} monitor NAME --baud ${baudRate} --no-tty --timeout 20`,
      'The same as tools of the Model Context Protocol:',
      `${program} mcp --allow port=NAME`,
    ];
    parts.push(commands.join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

/**
 * Copies the end of the log for an agent, and shows a toast with the result.
 *
 * @param crash Text of a crash that stands before the log; null without one.
 */
export async function copyForAgent(crash: string | null = null): Promise<void> {
  let cancelled = () => false;
  const made = runExport('Copying…', async (signal) => {
    cancelled = () => signal.aborted;
    const { status, devices } = benchStatus.tick;
    const port = portNumbers.find(
      (number) => devices[number]?.kind === 'serial' && status.ports[number].settings !== null,
    );
    const text = agentText({
      crash,
      lines: await lastLines(signal),
      baudRate: port === undefined ? null : (status.ports[port].settings?.baudRate ?? null),
      server: hasServer ? `${location.origin}${basePath}` : null,
    });
    return new Blob([text], { type: 'text/plain' });
  });
  if (made === null) {
    return;
  }
  try {
    await copyLater(made, () => 'Copied for an agent');
  } catch (error) {
    if (cancelled()) {
      toast('Copying cancelled', { level: 'info' });
      return;
    }
    const detail = error instanceof Error ? error.message : String(error);
    toast('The log could not be copied.', { level: 'error', detail });
  }
}

async function lastLines(signal: AbortSignal): Promise<string> {
  const { rows } = await getBench().call('rows', { layout: 'text', anchor: 'tail', count: LAST_ROWS });
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) {
    return '';
  }
  const settings = terminalSettingsNow();
  const portNames = Object.fromEntries(
    portNumbers.map((port): [PortNumber, string] => [port, portName(settings, port)]),
  );
  const from = { sequence: first.sequence, part: first.part };
  const to = { sequence: last.sequence, part: last.part };
  const copied = await copyRows({ layout: 'text', from, to, stamps: true, portNames }, null, signal);
  return copied.text.text();
}
