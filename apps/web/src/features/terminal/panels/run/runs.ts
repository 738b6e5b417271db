/**
 * The current runs, at most one for each panel, and the results of messages that wait for an answer. A run is aborted
 * when its panel is removed or gets another target.
 */
import { numbersOf, quoted, type RunStep, type StepResult, type Transcript } from '@wirebench/runs';
import type { PortNumber } from '@wirebench/serial';
import { pageStore } from '../../../../shared/page-store.ts';
import { toast } from '../../../../shared/ui/toast.ts';
import { LOAD_FAILED } from '../../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { CallError } from '../../../../workbench/bench-client.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { repeatOnBench } from '../../../../workbench/bench-waits.ts';
import { portStates } from '../../open-ports-of.ts';
import type { DevicePanel } from '../model/device-panel.ts';
import { panelOf } from '../model/panels.ts';
import type { Refused } from '../store/panel-actions.ts';
import { openForm, say, setRefusal } from '../store/panels-session.ts';
import { onPanelsChange, panelsNow } from '../store/panels-store.ts';
import { chooseNumber } from './chosen-numbers.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import { chooseRunFile, hasRunFile } from './run-files.ts';

export interface Run {
  readonly kind: 'message' | 'all' | 'repeat';
  /** The message that is currently sent or waited for. */
  readonly messageId: string;
  /** Position of the message in the run, from 1. */
  readonly step: number;
  readonly steps: number;
  /** Number of sendings of a repetition. */
  readonly sent: number;
  /** Number of the try, from 1, and the answer that came last, as text. Null: none has come. */
  readonly attempt: number;
  readonly lastAnswer: string | null;
}

interface Runs {
  /** Runs by panel id. */
  readonly running: Readonly<Record<string, Run>>;
  /** Results by message id. */
  readonly results: Readonly<Record<string, StepResult>>;
  /** Transcript of the last run of each panel, by panel id. */
  readonly transcripts: Readonly<Record<string, Transcript>>;
}

const runsStore = pageStore<Runs>({ running: {}, results: {}, transcripts: {} });

export const useRuns = runsStore.use;

const aborts = new Map<string, { readonly port: PortNumber; readonly abort: AbortController }>();

onPanelsChange(({ panels }) => {
  for (const [panelId, { port, abort }] of aborts) {
    if (panelOf(panels, panelId)?.pinnedTargetPort !== port) {
      abort.abort();
    }
  }
  const { transcripts } = runsStore.getState();
  const kept = Object.entries(transcripts).filter(([panelId]) => panelOf(panels, panelId) !== undefined);
  if (kept.length < Object.keys(transcripts).length) {
    runsStore.setState({ transcripts: Object.fromEntries(kept) });
  }
});

export function stopRun(panelId: string): void {
  aborts.get(panelId)?.abort.abort();
}

/**
 * Sends one message, and its file. The wait for its answer is a run, unless the panel already has one: then the answer
 * is ignored, and a message with a file is refused.
 *
 * @param value Number in place of `{value}`. Without one, a message with such a place asks for it in the panel.
 */
export async function sendMessage(panelId: string, messageId: string, value?: number): Promise<void> {
  if (isRefusedInRun(panelId, messageId)) {
    return;
  }
  if (value !== undefined) {
    chooseNumber(messageId, value);
  } else if (asksForNumber(panelId, messageId)) {
    openForm({ messageId, kind: 'value' });
    return;
  }
  const prepared = await prepareWithFiles(panelId, messageId);
  const [step] = prepared?.steps ?? [];
  const [message] = prepared?.messages ?? [];
  if (prepared === null || step === undefined || message === undefined) {
    return;
  }
  // Another run may have begun while the user chose a file.
  if (isRefusedInRun(panelId, messageId)) {
    return;
  }
  if (takesTime(step) && !aborts.has(panelId)) {
    await run(prepared, 'message', [{ ...step, repeat: 1 }]);
    return;
  }
  say(`${quoted(message)} sent to Port ${prepared.port}`);
  await reportingFailure(panelId, () => getBench().call('send', prepared.port, step.bytes, step.hidden));
}

function asksForNumber(panelId: string, messageId: string): boolean {
  const message = panelOf(panelsNow().panels, panelId)?.pinnedMessages.find(({ id }) => id === messageId);
  return message !== undefined && numbersOf(message) !== null;
}

/**
 * Sends the bytes of a message with its chosen number, without a wait for its answer. Returns the reason if nothing was
 * sent, or null.
 */
export async function sendNumber(panelId: string, messageId: string): Promise<Refused> {
  const panel = panelOf(panelsNow().panels, panelId);
  const messages = panel?.pinnedMessages.filter(({ id }) => id === messageId) ?? [];
  if (panel === undefined || messages.length === 0) {
    return 'The message was removed.';
  }
  const prepared = prepareRun(panel, messages, portStates(benchStatus.tick));
  const [step] = prepared.ok ? prepared.steps : [];
  if (!prepared.ok || step === undefined) {
    return prepared.ok ? null : prepared.reason;
  }
  try {
    await getBench().call('send', prepared.port, step.bytes, step.hidden);
    return null;
  } catch (error) {
    if (!(error instanceof CallError)) {
      throw error;
    }
    return error.message;
  }
}

/** Returns true if the sending of one message is a run. */
const takesTime = ({ answer, fileBy, flow }: RunStep) =>
  answer !== null || fileBy !== null || (flow !== undefined && flow.answers.length > 0);

/** Refuses a message with a file while its panel has a run, and shows the reason there. */
function isRefusedInRun(panelId: string, messageId: string): boolean {
  const { panels } = panelsNow();
  const message = panelOf(panels, panelId)?.pinnedMessages.find(({ id }) => id === messageId);
  if (message === undefined || message.file === null || !aborts.has(panelId)) {
    return false;
  }
  setRefusal(panelId, `Stop the run first, then send ${quoted(message)} and its file.`);
  return true;
}

/** Sends all messages of a panel as one run. */
export async function runAll(panelId: string): Promise<void> {
  const prepared = aborts.has(panelId) ? null : await prepareWithFiles(panelId);
  // Another run may have begun while the user chose a file.
  if (prepared !== null && prepared.steps.length > 0 && !aborts.has(panelId)) {
    await run(prepared, 'all', prepared.steps);
  }
}

/** Sends one message every `everyMs` milliseconds until it is stopped. */
export async function startRepeat(panelId: string, messageId: string): Promise<void> {
  const prepared = aborts.has(panelId) ? null : prepare(panelId, messageId);
  const [step] = prepared?.steps ?? [];
  const [message] = prepared?.messages ?? [];
  if (prepared === null || step === undefined || message === undefined || message.hidden) {
    return;
  }
  const state: Run = { kind: 'repeat', messageId, step: 1, steps: 1, sent: 0, attempt: 1, lastAnswer: null };
  await during(prepared, state, async (signal) => {
    await repeatOnBench(prepared.port, step.bytes, message.everyMs, signal, (sent) =>
      show(panelId, { ...state, sent }),
    );
  });
}

interface PanelRun extends PreparedRun {
  readonly panel: DevicePanel;
}

/**
 * Prepares one message, or all without `messageId`. Returns null if nothing can be sent, and shows the reason in the
 * panel.
 */
function prepare(panelId: string, messageId?: string): PanelRun | null {
  const panel = panelOf(panelsNow().panels, panelId);
  if (panel === undefined) {
    return null;
  }
  const messages = panel.pinnedMessages.filter(({ id }) => messageId === undefined || id === messageId);
  // Uses the latest tick, not the last rendered states: a port may have disconnected since.
  const prepared = prepareRun(panel, messages, portStates(benchStatus.tick));
  setRefusal(panelId, prepared.ok ? null : prepared.reason);
  return prepared.ok ? { ...prepared, panel } : null;
}

/**
 * Prepares as `prepare` does. Asks for a file that is not chosen yet. Returns null if files are missing after that, and
 * shows the reason in the panel.
 */
async function prepareWithFiles(panelId: string, messageId?: string): Promise<PanelRun | null> {
  const prepared = prepare(panelId, messageId);
  const messages = prepared?.messages.filter(({ file }) => file !== null) ?? [];
  if (messages.length === 0) {
    return prepared;
  }
  const held = await Promise.all(messages.map(({ id }) => hasRunFile(id)));
  const [first, second] = messages.filter((_, index) => held[index] !== true);
  if (first === undefined) {
    return prepared;
  }
  const missing = (await chooseRunFile(first.id)) ? second : first;
  if (missing !== undefined) {
    setRefusal(panelId, `Choose the file that is sent after ${quoted(missing)}.`);
    return null;
  }
  // The port may have closed while the dialog was open.
  return prepare(panelId, messageId);
}

async function run(prepared: PanelRun, kind: 'message' | 'all', steps: readonly RunStep[]): Promise<void> {
  const { panel } = prepared;
  const at = (step: number, attempt: number, lastAnswer: string | null): Run => {
    const messageId = steps[step]?.messageId ?? '';
    return { kind, messageId, step: step + 1, steps: steps.length, sent: 0, attempt, lastAnswer };
  };
  forgetResults(steps);
  await during(prepared, at(0, 1, null), async (signal) => {
    const engine = await loadExports();
    const refused = await engine?.performRun(prepared, kind, steps, signal, {
      begun: (step, attempt, lastAnswer) => show(panel.id, at(step, attempt, lastAnswer)),
      result: (step, stepResult) => keepResult(steps[step]?.messageId ?? '', stepResult),
      ended: (transcript) => {
        if (panelOf(panelsNow().panels, panel.id) !== undefined) {
          keepTranscript(panel.id, transcript);
        }
      },
    });
    setRefusal(panel.id, refused ?? null);
  });
}

/** Registers the panel's run while `work` is pending. */
async function during(
  { panel, port }: PanelRun,
  first: Run,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const abort = new AbortController();
  aborts.set(panel.id, { port, abort });
  show(panel.id, first);
  await reportingFailure(panel.id, () => work(abort.signal));
  aborts.delete(panel.id);
  runsStore.setState(({ running }) => {
    const { [panel.id]: _over, ...others } = running;
    return { running: others };
  });
}

/** Shows a refusal of the bench in the panel. The bench has already written it to the timeline. */
async function reportingFailure(panelId: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CallError)) {
      throw error;
    }
    setRefusal(panelId, error.message);
  }
}

function show(panelId: string, state: Run): void {
  runsStore.setState(({ running }) => ({ running: { ...running, [panelId]: state } }));
}

function keepResult(messageId: string, result: StepResult): void {
  if (result.kind !== 'sent') {
    runsStore.setState(({ results }) => ({ results: { ...results, [messageId]: result } }));
  }
}

function keepTranscript(panelId: string, transcript: Transcript): void {
  runsStore.setState(({ transcripts }) => ({ transcripts: { ...transcripts, [panelId]: transcript } }));
}

function forgetResults(steps: readonly RunStep[]): void {
  const ids = new Set(steps.map(({ messageId }) => messageId));
  runsStore.setState(({ results }) => ({
    results: Object.fromEntries(Object.entries(results).filter(([id]) => !ids.has(id))),
  }));
}

/** Loads the engine and what a person takes away from a run. Null: it failed, which a toast says. */
export async function loadExports(): Promise<typeof import('./run-exports.ts') | null> {
  try {
    return await import('./run-exports.ts');
  } catch {
    toast(LOAD_FAILED, { level: 'error' });
    return null;
  }
}
