/**
 * The current runs, at most one for each panel, the results of messages that wait for an answer, and the verdict of the
 * last run of each panel. A run is aborted when its panel is removed or a person gives it another target.
 */
import { numbersOf, quoted, type RunStep, type StepResult } from '@wirebench/runs';
import type { PortNumber } from '@wirebench/serial';
import { pageStore } from '../../../../shared/page-store.ts';
import { toast } from '../../../../shared/ui/toast.ts';
import { LOAD_FAILED } from '../../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { CallError } from '../../../../workbench/bench-client.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';
import { repeatOnBench } from '../../../../workbench/bench-waits.ts';
import { portStates } from '../../open-ports-of.ts';
import { type DevicePanel, noTarget, onePort, type TargetPort } from '../model/device-panel.ts';
import { panelOf } from '../model/panels.ts';
import type { Refused } from '../store/panel-actions.ts';
import { openForm, say, setRefusal } from '../store/panels-session.ts';
import { onPanelsChange, panelsNow } from '../store/panels-store.ts';
import { chooseNumber } from './chosen-numbers.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import type { PanelVerdict, SavedRun } from './run-exports.ts';
import { chooseRunFile, hasRunFile } from './run-files.ts';

export interface Run {
  readonly kind: 'message' | 'all' | 'repeat';
  /** Ports that it began with. */
  readonly ports: readonly PortNumber[];
  /** Current step on each port on which the run goes on. */
  readonly at: BoardSteps;
  readonly steps: number;
  /** Number of sendings of a repetition. */
  readonly sent: number;
  /** Time of the start, in milliseconds of `performance.now`. */
  readonly startedAt: number;
}

interface BoardStep {
  /** The message that is currently sent or waited for. */
  readonly messageId: string;
  /** Position of the message in the run, from 1. */
  readonly step: number;
  /** Number of the try, from 1, and the answer that came last, as text. Null: none has come. */
  readonly attempt: number;
  readonly lastAnswer: string | null;
}

type BoardSteps = Readonly<Partial<Record<PortNumber, BoardStep>>>;

/** Returns the step of the board that is furthest behind; null if the run is over on all of them. */
export function slowestStep({ at }: Run): BoardStep | null {
  return Object.values(at).reduce<BoardStep | null>(
    (slowest, one) => (slowest === null || one.step < slowest.step ? one : slowest),
    null,
  );
}

/** Returns true if the run sends the message or waits for it on some board. */
export const isAtMessage = (run: Run | undefined, messageId: string): boolean =>
  run !== undefined && Object.values(run.at).some((step) => step.messageId === messageId);

/** Results of a message in its last run. */
interface MessageResults {
  /** Number of ports that the run began with. A message is not reached on all of them if it fails before. */
  readonly boards: number;
  readonly byPort: Readonly<Partial<Record<PortNumber, StepResult>>>;
}

interface Runs {
  /** Runs by panel id. */
  readonly running: Readonly<Record<string, Run>>;
  /** Results by message id. */
  readonly results: Readonly<Record<string, MessageResults>>;
  /** Verdict of the last run of all commands of each panel, by panel id. */
  readonly verdicts: Readonly<Record<string, PanelVerdict>>;
  /** The command that was saved of it, by panel id. */
  readonly saved: Readonly<Record<string, SavedRun>>;
}

const runsStore = pageStore<Runs>({ running: {}, results: {}, verdicts: {}, saved: {} });

export const useRuns = runsStore.use;

const aborts = new Map<string, { readonly target: TargetPort; readonly abort: AbortController }>();

onPanelsChange(({ panels }) => {
  for (const [panelId, { target, abort }] of aborts) {
    const panel = panelOf(panels, panelId);
    // A panel loses its target with the port. The run itself finds that the port was closed.
    const isLost = panel?.pinnedTargetPort === noTarget && !isConnected(target);
    if (panel?.pinnedTargetPort !== target && !isLost) {
      abort.abort();
    }
  }
  const { verdicts } = runsStore.getState();
  const kept = Object.entries(verdicts).filter(([panelId]) => panelOf(panels, panelId) !== undefined);
  if (kept.length < Object.keys(verdicts).length) {
    runsStore.setState({ verdicts: Object.fromEntries(kept) });
  }
});

function isConnected(target: TargetPort): boolean {
  const port = onePort({ pinnedTargetPort: target });
  return port === null || benchStatus.tick.status.ports[port].state === 'connected';
}

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
  say(`${quoted(message)} sent to ${portsText(prepared.ports)}`);
  await reportingFailure(panelId, () => sendOnce(prepared.ports, step));
}

const portsText = (ports: readonly PortNumber[]): string =>
  new Intl.ListFormat('en-GB').format(ports.map((port) => `Port ${port}`));

/** Sends the bytes of a step to all ports, also if one of them refuses it. Rejects with the first refusal. */
async function sendOnce(ports: readonly PortNumber[], { bytes, hidden }: RunStep): Promise<void> {
  const sendings = await Promise.allSettled(ports.map((port) => getBench().call('send', port, bytes, hidden)));
  const refused = sendings.find((sending) => sending.status === 'rejected');
  if (refused !== undefined) {
    throw refused.reason;
  }
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
    return 'The command was removed.';
  }
  const prepared = prepareRun(panel, messages, portStates(benchStatus.tick));
  const [step] = prepared.ok ? prepared.steps : [];
  if (!prepared.ok || step === undefined) {
    return prepared.ok ? null : prepared.reason;
  }
  try {
    await sendOnce(prepared.ports, step);
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
  const state = beginning(prepared, 'repeat', [step]);
  await during(prepared, state, async (signal) => {
    await Promise.all(
      prepared.ports.map((port, index) =>
        repeatOnBench(port, step.bytes, message.everyMs, signal, (sent) => {
          if (index === 0) {
            show(panelId, { ...state, sent });
          }
        }),
      ),
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
  const { id } = panel;
  forgetResults(steps);
  if (kind === 'all') {
    forgetVerdict(id);
  }
  await during(prepared, beginning(prepared, kind, steps), async (signal) => {
    const engine = await loadExports();
    const refused = await engine?.performRun(prepared, kind, steps, signal, {
      begun: (port, step, attempt, lastAnswer) =>
        moveBoard(id, port, { messageId: steps[step]?.messageId ?? '', step: step + 1, attempt, lastAnswer }),
      result: (port, step, stepResult) =>
        keepResult(steps[step]?.messageId ?? '', prepared.ports.length, port, stepResult),
      boardEnded: (port) => moveBoard(id, port, undefined),
      ended: (verdict) => {
        if (panelOf(panelsNow().panels, id) !== undefined) {
          runsStore.setState(({ verdicts }) => ({ verdicts: { ...verdicts, [id]: verdict } }));
        }
      },
    });
    setRefusal(id, refused ?? null);
  });
}

/** The state of a run before its first sending. */
function beginning({ ports }: PanelRun, kind: Run['kind'], steps: readonly RunStep[]): Run {
  const first: BoardStep = { messageId: steps[0]?.messageId ?? '', step: 1, attempt: 1, lastAnswer: null };
  const at: BoardSteps = Object.fromEntries(ports.map((port) => [port, first]));
  return { kind, ports, at, steps: steps.length, sent: 0, startedAt: performance.now() };
}

/** @param step Undefined: the run is over on this port. */
function moveBoard(panelId: string, port: PortNumber, step: BoardStep | undefined): void {
  const run = runsStore.getState().running[panelId];
  if (run !== undefined) {
    const { [port]: _before, ...others } = run.at;
    show(panelId, { ...run, at: step === undefined ? others : { ...others, [port]: step } });
  }
}

/** Registers the panel's run while `work` is pending. */
async function during({ panel }: PanelRun, first: Run, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  aborts.set(panel.id, { target: panel.pinnedTargetPort, abort });
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

function keepResult(messageId: string, boards: number, port: PortNumber, result: StepResult): void {
  if (result.kind !== 'sent') {
    runsStore.setState(({ results }) => ({
      results: { ...results, [messageId]: { boards, byPort: { ...results[messageId]?.byPort, [port]: result } } },
    }));
  }
}

function forgetVerdict(panelId: string): void {
  runsStore.setState(({ verdicts, saved }) => {
    const { [panelId]: _verdict, ...others } = verdicts;
    const { [panelId]: _saved, ...othersSaved } = saved;
    return { verdicts: others, saved: othersSaved };
  });
}

/** Saves the file of the test that a panel is, copies the command that runs it, and keeps both to be shown. */
export async function saveAndCopy(panel: DevicePanel): Promise<void> {
  const exports = await loadExports();
  if (exports !== null) {
    const saved = await exports.saveAndCopy(panel);
    runsStore.setState((runs) => ({ saved: { ...runs.saved, [panel.id]: saved } }));
  }
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
