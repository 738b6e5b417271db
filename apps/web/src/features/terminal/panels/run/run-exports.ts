/** Runs on the ports of a panel with their verdict, its report, and the command of a run. Loaded with the first use. */

import { defaultPortSettings, type PortSettings } from '@wirebench/port';
import {
  type CheckFault,
  hasChecks,
  messageEndText,
  type PinnedMessage,
  passedWords,
  type RunCheck,
  type RunChecks,
  type RunStep,
  type RunVerdict,
  readChecks,
  runChecks,
  type StepResult,
  type TestRule,
  type Transcript,
  transcriptText,
  verdictOfChecks,
  verdictSentence,
} from '@wirebench/runs';
import { exportFileName, type PortNumber, portNumbers } from '@wirebench/serial';
import { copyText, writeClipboard } from '../../../../shared/files/copy-text.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { terminalSettingsNow } from '../../settings/settings-store.ts';
import { aimsAt, type DevicePanel } from '../model/device-panel.ts';
import { writeJkitFile } from '../model/jkit-file.ts';
import { say } from '../store/panels-session.ts';
import { type BoardRun, runBoard } from './board-run.ts';
import type { PreparedRun } from './prepare-run.ts';
import { saveTestFile } from './test-file.ts';

/** Failure of a board. */
export interface BoardFault {
  readonly port: PortNumber;
  readonly fault: CheckFault;
}

/** Verdict of a run of all commands of a panel. */
export interface PanelVerdict extends RunVerdict {
  /** First failure of each board, in the order of the ports. */
  readonly faults: readonly BoardFault[];
  /** Sentences of the author of the commands about their passing. */
  readonly said: readonly string[];
  /** One for each port on which something was exchanged. */
  readonly transcripts: readonly Transcript[];
}

interface RunEvents {
  /** Called before each sending of a message, with the last answer so far as text. */
  begun(port: PortNumber, step: number, attempt: number, lastAnswer: string | null): void;
  result(port: PortNumber, step: number, result: StepResult): void;
  /** The run of one port is over. Those of others go on. */
  boardEnded(port: PortNumber): void;
  /** Called for a run of all commands. */
  ended(verdict: PanelVerdict): void;
}

type PanelRun = PreparedRun & { readonly panel: DevicePanel };

/**
 * Sends messages of a panel to its ports, each at its own pace, and waits for their answers. A run of all of them is decided.
 *
 * @returns The reason why nothing was sent; null if the run was carried out.
 */
export async function performRun(
  run: PanelRun,
  kind: 'message' | 'all',
  steps: readonly RunStep[],
  signal: AbortSignal,
  events: RunEvents,
): Promise<string | null> {
  const { panel, ports, messages } = run;
  const isAll = kind === 'all';
  const read = readChecks(isAll ? panel.rules : [], isAll ? panel.jkitKept.content['test'] : undefined);
  if (!read.ok) {
    return read.reason;
  }
  const startedAt = performance.now();
  const boards = await Promise.all(
    ports.map(async (port) => {
      const board = await runBoard({ port, messages, steps, checks: read.checks }, signal, {
        begun: (...about) => events.begun(port, ...about),
        result: (...about) => events.result(port, ...about),
      });
      events.boardEnded(port);
      return board;
    }),
  );
  if (!isAll) {
    await reportMessage(run, boards);
    return null;
  }
  const verdict = verdictOf(run, read.checks, boards, performance.now() - startedAt);
  events.ended(verdict);
  await reportVerdict(panel.name, verdict);
  return null;
}

/** Says the end of a run of one message, and notes on the timeline what failed. @throws CallError if the bench refused it. */
async function reportMessage({ panel, messages }: PanelRun, boards: readonly BoardRun[]): Promise<void> {
  for (const { port, end, refused } of boards) {
    if (refused !== null) {
      throw refused.error;
    }
    const text = messageEndText(end, messages[0], port);
    if (end.kind === 'done' || end.kind === 'cancelled') {
      say(text);
    } else {
      const isPassed = end.kind === 'stopped' && end.passed;
      await getBench().call('notice', isPassed ? 'info' : 'warning', `${panel.name}: ${text}.`, port);
    }
  }
}

function verdictOf(
  { panel, messages }: PanelRun,
  checks: RunChecks,
  boards: readonly BoardRun[],
  duration: number,
): PanelVerdict {
  const decided = boards.map((board) => ({ board, checks: checksOf(board, messages, checks) }));
  const all = decided.flatMap((one) => one.checks);
  const isChecked = hasChecks(messages, checks.rules) || all.some(({ fault }) => fault !== null);
  const kind = boards.some(({ isStopped }) => isStopped)
    ? 'stopped'
    : !isChecked
      ? 'unchecked'
      : verdictOfChecks(all) === 'passed'
        ? 'passed'
        : 'failed';
  const sent = boards.reduce((sum, { log }) => sum + sentOf(log), 0);
  const verdict: RunVerdict = { kind, checks: isChecked ? all : [], sent, duration };
  const said = [...new Set(boards.flatMap(({ end }) => passedWords(end) ?? []))];
  const result = [`${panel.name}: ${verdictSentence(verdict)}`, ...said].join('\n');
  return {
    ...verdict,
    said,
    faults: decided.flatMap(({ board: { port }, checks: own }) => {
      const fault = own.find((check) => check.fault !== null)?.fault ?? null;
      return fault === null ? [] : [{ port, fault }];
    }),
    transcripts: boards.flatMap(({ port, log, notes }) =>
      log === null ? [] : [{ panelName: panel.name, port, log, notes, result }],
    ),
  };
}

const sentOf = (log: BoardRun['log']) => log?.entries.filter(({ kind }) => kind === 'sent').length ?? 0;

/** Returns the checks of one board. Those of a run that a person has stopped have no verdict but what was decided. */
function checksOf(board: BoardRun, messages: readonly PinnedMessage[], checks: RunChecks): readonly RunCheck[] {
  const { port, end, refused, isStopped, isLate, answered, log, exchanges } = board;
  if (!hasChecks(messages, checks.rules) && !('step' in end) && refused === null && !isLate) {
    return [];
  }
  // Its rules are undecided.
  const isOpen = isStopped || refused !== null;
  const found = runChecks({
    messages,
    end,
    refused: refused === null ? null : { step: refused.step, message: refused.error.message },
    answered,
    rules: isOpen ? [] : board.rules,
    others: isOpen ? checks.rules.map(skippedRule) : [],
    isLate,
    limit: checks.seconds === null ? null : checks.seconds * 1_000,
    last: log === null || exchanges === 0 ? null : { port, log, exchange: exchanges - 1 },
  });
  return isStopped ? found.filter(({ fault }) => fault?.type !== 'interrupted') : found;
}

const skippedRule = ({ name }: TestRule): RunCheck => ({
  name: `rule ${name}`,
  state: 'skipped',
  seconds: 0,
  fault: null,
});

/** Notes the verdict on the timeline. A person who has stopped the run knows it. */
async function reportVerdict(name: string, verdict: PanelVerdict): Promise<void> {
  const { kind, faults, said } = verdict;
  if (kind === 'stopped') {
    return;
  }
  const [only, ...others] = faults;
  const port = only !== undefined && others.length === 0 ? only.port : null;
  const why = [
    ...said.map((words) => ` ${words}`),
    ...faults.map((one) => ` Port ${one.port}: ${others.length === 0 ? one.fault.message : shortFault(one)}.`),
  ].join('');
  const text = `${name}: ${verdictSentence(verdict)}${why === '' ? '' : `.${why}`}`;
  await getBench().call('notice', kind === 'failed' ? 'warning' : 'info', text, port);
}

const shortFault = ({ fault: { command, cause } }: BoardFault): string =>
  command === null ? cause : `${command}, ${cause}`;

/** Saves what was sent and received on every port as a text file, named after the time of the run. */
export function saveReport({ transcripts }: PanelVerdict): void {
  const name = exportFileName(new Date(transcripts[0]?.log.startedAt ?? Date.now()), 'txt');
  saveFile(
    new Blob([transcripts.map(transcriptText).join('\n')], { type: 'text/plain' }),
    name.replace('wirebench-', 'wirebench-run-'),
  );
}

/** Saves the file of the test that a panel is, and copies the command that runs it. */
export async function saveAndCopy(panel: DevicePanel): Promise<SavedRun> {
  const about = panelCommand(panel);
  // First: browsers allow the clipboard only soon after the press.
  const notCopied = await writeClipboard(about.command);
  saveTestFile(panel);
  return { ...about, notCopied };
}

/** Copies the command line that runs a panel's commands as a test in a shell. */
export function copyCommand(panel: DevicePanel): Promise<void> {
  const { file, command, isDemo } = panelCommand(panel);
  const port = isDemo ? '' : ", and write the port's name in place of PORT";
  return copyText(command, `Command copied. Save the panel as ${file} for it${port}.`);
}

/** The command line of a panel in a shell. */
export interface PanelCommand {
  /** Name of the panel's JKit file. */
  readonly file: string;
  readonly command: string;
  /** True: it takes the simulated board of this page, so that it works as it is. */
  readonly isDemo: boolean;
}

/** The command of a panel after its file was saved. */
export interface SavedRun extends PanelCommand {
  /** Null: it was copied. A text: the reason why not. */
  readonly notCopied: string | null;
}

/** Returns the command line that runs a panel's commands as a test, with the settings of its first port. */
export function panelCommand(panel: DevicePanel): PanelCommand {
  const { status, devices } = benchStatus.tick;
  const aimed = portNumbers.filter((port) => aimsAt(panel, port));
  const open = aimed.filter((port) => status.ports[port].state === 'connected');
  const [first] = open.length > 0 ? open : aimed;
  const facts = open.map((port) => devices[port]);
  const isDemo = facts.length > 0 && facts.every((device) => device?.kind === 'demo');
  const settings = first === undefined ? defaultPortSettings : terminalSettingsNow().ports[first].settings;
  const { name: file } = writeJkitFile(panel);
  const model = facts[0]?.isLine === true ? 'modbus-line' : 'demo';
  return { file, command: commandOf(file, settings, isDemo ? model : null), isDemo };
}

/**
 * Returns the command line for a JKit file. Settings of the port with their default value are left out.
 *
 * @param model Name of the simulated board; null: a port.
 */
export function commandOf(file: string, settings: PortSettings, model: string | null = null): string {
  const { baudRate, dataBits, stopBits, parity, flowControl, linesAtOpen = 'dtr' } = settings;
  const options = [
    [baudRate, defaultPortSettings.baudRate, '--baud'],
    [dataBits, defaultPortSettings.dataBits, '--data-bits'],
    [stopBits, defaultPortSettings.stopBits, '--stop-bits'],
    [parity, defaultPortSettings.parity, '--parity'],
    [flowControl, defaultPortSettings.flowControl, '--flow'],
    [linesAtOpen, 'dtr', '--lines'],
  ].flatMap(([value, usual, flag]) => (value === usual ? [] : [`${flag} ${value}`]));
  return ['wirebench test', file, model === null ? '--port PORT' : `--simulate ${model}`, ...options].join(' ');
}
