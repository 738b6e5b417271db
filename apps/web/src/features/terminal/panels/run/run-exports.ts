/** The engine of runs with its sentences, the file of a transcript, and the command of a run. Loaded with the first use. */

import { defaultPortSettings, type PortSettings } from '@wirebench/port';
import {
  type DecidedChecks,
  exchangeNote,
  type RuleVerdict,
  type RunChecks,
  type RunEnd,
  type RunStep,
  readChecks,
  runReport,
  runSteps,
  type StepResult,
  type TestRule,
  type Transcript,
  transcriptText,
} from '@wirebench/runs';
import { exportFileName, type PortNumber } from '@wirebench/serial';
import { copyText } from '../../../../shared/files/copy-text.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { converse, ended, newTicket, pauseOnBench } from '../../../../workbench/bench-waits.ts';
import { terminalSettingsNow } from '../../settings/settings-store.ts';
import { type DevicePanel, noTarget } from '../model/device-panel.ts';
import { say } from '../store/panels-session.ts';
import type { PreparedRun } from './prepare-run.ts';
import { filePort, runPort } from './run-files.ts';

interface RunEvents {
  /** Called before each sending of a message, with the last answer so far as text. */
  begun(step: number, attempt: number, lastAnswer: string | null): void;
  result(step: number, result: StepResult): void;
  ended(transcript: Transcript): void;
}

/**
 * Sends messages of a panel, waits for their answers, and decides the rules of a run of all of them.
 *
 * @returns The reason why nothing was sent; null if the run was carried out.
 */
export async function performRun(
  { panel, port, messages }: PreparedRun & { readonly panel: DevicePanel },
  kind: 'message' | 'all',
  steps: readonly RunStep[],
  signal: AbortSignal,
  events: RunEvents,
): Promise<string | null> {
  const read = readChecks(
    kind === 'all' ? panel.rules : [],
    kind === 'all' ? panel.jkitKept.content['test'] : undefined,
  );
  if (!read.ok) {
    return read.reason;
  }
  const conversation = converse(port);
  const notes: string[] = [];
  let lastAnswer: string | null = null;
  let hasPassed = false;
  let result = 'Ended by a failure of the port.';
  let checked: BegunChecks | null = null;
  try {
    checked = await beginChecks(port, read.checks, signal);
    const end = await runSteps(steps, { ...runPort(conversation), ...filePort(port) }, checked.stop, {
      begun: (step, attempt) => events.begun(step, attempt, lastAnswer),
      result: (step, stepResult) => events.result(step, stepResult),
      exchanged: (step, attempt, outcome, go) => {
        const { note, answer } = exchangeNote({ message: messages[step], step, attempt, messages, outcome, go });
        notes.push(note);
        hasPassed ||= outcome.kind === 'answered';
        lastAnswer = answer ?? lastAnswer;
      },
    });
    const decided = await checked.decide(end, hasPassed);
    const { notice, text } = runReport(end, { kind, panelName: panel.name, port, messages }, decided);
    result = text;
    if (notice === null) {
      say(text);
    } else {
      await getBench().call('notice', notice, text, port);
    }
  } finally {
    checked?.end();
    const log = await conversation.close().catch(() => null);
    if (log !== null) {
      events.ended({ panelName: panel.name, port, log, notes, result });
    }
  }
  return null;
}

interface WatchedRules {
  /** Aborts when a rule that must not fire has fired. */
  readonly broken: AbortSignal;
  /**
   * Waits for rules that must fire, and a moment longer; `signal` ends the wait. Returns the verdicts.
   *
   * @param hasPassed True: answers have passed, which a rule that fires withdraws.
   */
  close(hasPassed: boolean, signal: AbortSignal): Promise<readonly RuleVerdict[]>;
}

/** Begins to watch the rules that decide about a run on `port`. */
async function watchRules(port: PortNumber, rules: readonly TestRule[]): Promise<WatchedRules> {
  const checks = newTicket();
  await getBench().call('openChecks', port, rules, checks);
  const broken = new AbortController();
  void getBench()
    .call('brokenChecks', checks)
    .then(() => broken.abort());
  return {
    broken: broken.signal,
    close: (hasPassed, signal) =>
      ended(signal, async (ticket) => {
        const verdicts = getBench().call('closeChecks', checks, hasPassed, ticket);
        if (signal.aborted) {
          void getBench().call('endWait', ticket);
        }
        return verdicts;
      }),
  };
}

interface BegunChecks {
  /** Aborts with the run's signal, with a rule that must not fire, and after the longest time. */
  readonly stop: AbortSignal;
  /** Waits for the rules to be decided. Returns null for a run that a person has stopped. */
  decide(end: RunEnd, hasPassed: boolean): Promise<DecidedChecks | null>;
  /** Ends the watch of a run that failed before it was decided. Does nothing after `decide`. */
  end(): void;
}

async function beginChecks(port: PortNumber, { rules, seconds }: RunChecks, signal: AbortSignal): Promise<BegunChecks> {
  const watched = rules.length === 0 ? null : await watchRules(port, rules);
  const limit = new AbortController();
  const over = new AbortController();
  let isOpen = watched !== null;
  if (seconds !== null) {
    void pauseOnBench(seconds * 1_000, AbortSignal.any([signal, over.signal])).then(() => limit.abort());
  }
  return {
    stop: AbortSignal.any([signal, limit.signal, ...(watched === null ? [] : [watched.broken])]),
    decide: async (end, hasPassed) => {
      const isLate = end.kind === 'cancelled' && limit.signal.aborted;
      over.abort();
      isOpen = false;
      const verdicts = (await watched?.close(hasPassed, signal)) ?? [];
      return signal.aborted ? null : { verdicts, missedLimit: isLate ? seconds : null };
    },
    end: () => {
      over.abort();
      if (isOpen) {
        void watched?.close(false, AbortSignal.abort());
      }
    },
  };
}

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
