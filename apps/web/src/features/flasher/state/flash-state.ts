/**
 * State machine of one board's flash, from no board to a receipt, as a pure function of actions. A late action, or
 * one out of turn, changes nothing. A message that was on its way when the user pressed Stop must not continue the
 * flash.
 */
import type { BoardState, RegionReport, WriteEvent, WriteReport, WriteStage } from '@wirebench/flasher/core';
import type { PlanFacts } from '../../../protocol/flash-protocol.ts';
import type { FlashSource } from '../../../protocol/usb-source.ts';
import type { ConnectedBoard } from '../../../workbench/families.ts';
import type { StartObservation } from './start-observation.ts';

/**
 * `none`: no board. `connecting`, then `detected`: in its bootloader. `planning`, then `planned`: compared with the
 * files. `writing`: until the last hash. `restarting`: after a write. `working`: being read or erased. `releasing`,
 * then `running`: restarted, and in its program. `done`, `failed`, `cancelled`: ended.
 */
export type FlashPhase =
  | 'none'
  | 'connecting'
  | 'detected'
  | 'planning'
  | 'planned'
  | 'writing'
  | 'restarting'
  | 'working'
  | 'releasing'
  | 'running'
  | 'done'
  | 'failed'
  | 'cancelled';

/** The reason why a flash has stopped. */
export interface Failure {
  /** Code of one of the family's failures; else null. */
  readonly code: string | null;
  readonly message: string;
  /** Exact cause, for the log and for experts. */
  readonly detail: string | null;
  /** State in which the failure left the board. */
  readonly state: BoardState;
  /** Phase in which the failure came. */
  readonly during: FlashPhase;
  /** True: this write or an earlier one did not finish, so the rest must still be written. */
  readonly interrupted: boolean;
}

/** Facts that are known where the failure happens. The state machine adds the others. */
export type FailureFacts = Omit<Failure, 'during' | 'interrupted'>;

export type WriteProgress = Extract<WriteEvent, { type: 'progress' }>;

export interface WorkProgress {
  readonly kind: 'read' | 'erase';
  /** Text for the work: `Reading 0x9000`. */
  readonly label: string;
  /** In bytes; null before the board's first progress. */
  readonly done: number | null;
  readonly total: number | null;
  /** First progress of the current range: bytes, and its time in milliseconds. Missing: there was none. */
  readonly from?: { readonly done: number; readonly at: number };
  /** Milliseconds left at the rate so far. Missing: not known yet. */
  readonly left?: number;
}

export interface FlashState {
  readonly phase: FlashPhase;
  /** Source of the board, to connect it again. */
  readonly source: FlashSource | null;
  /**
   * True: the board is a USB device and not a serial port, or the user tried to pick one. The browser has another
   * dialog for it.
   */
  readonly usb: boolean;
  /** The board that is connected, or was last. It is recognised by its id. */
  readonly board: ConnectedBoard | null;
  /** True: the flasher holds the board's port, also while it waits for the user. */
  readonly holdsPort: boolean;
  /** Step of the connection, from the family's own list. */
  readonly step: string | null;
  readonly plan: PlanFacts | null;
  /** True: a write was asked for, and waits for the user. */
  readonly held: boolean;
  /** Sentences about the reason of `held`. Null: the newest files bring a finding that was not shown before. */
  readonly heldText: string | null;
  /** True: the write is held because the files of the board that it takes could not be saved. */
  readonly unsaved: boolean;
  readonly progress: WriteProgress | null;
  /** Current stage of a write. */
  readonly stage: WriteStage | null;
  /** Results of the regions so far. Kept while the same board is connected again. */
  readonly regions: readonly RegionReport[];
  readonly work: WorkProgress | null;
  /** True: flash was erased, perhaps in part, and not written since. Kept while the same board is connected again. */
  readonly erased: boolean;
  /**
   * Extent of an erase of all flash that was carried out, as it is named: `all 4 MB`. Null: something was written since, or
   * the board was not erased as a whole. Kept while the same board is connected again.
   */
  readonly emptied: string | null;
  readonly cancelling: boolean;
  readonly report: WriteReport | null;
  /** True: a write did not finish, and was not continued yet. */
  readonly interrupted: boolean;
  /** True: the board cannot be restarted from here, so the user has to press its button. */
  readonly restartByHand: boolean;
  /** Verdict of the monitor on the start since the restart; null if the monitor does not listen. */
  readonly startObservation: StartObservation | null;
  readonly failure: Failure | null;
}

export const initialFlash: FlashState = {
  phase: 'none',
  source: null,
  usb: false,
  board: null,
  holdsPort: false,
  step: null,
  plan: null,
  held: false,
  heldText: null,
  unsaved: false,
  progress: null,
  stage: null,
  regions: [],
  work: null,
  erased: false,
  emptied: null,
  cancelling: false,
  report: null,
  interrupted: false,
  restartByHand: false,
  startObservation: null,
  failure: null,
};

export type FlashAction =
  /** @property byHand True: a person has put the board into its bootloader, so it cannot be reset from here. */
  | { readonly type: 'connect'; readonly source: FlashSource; readonly byHand?: boolean }
  /**
   * The browser did not let the user pick a board.
   * @property usb True: a USB device was asked for, and not a serial port.
   */
  | { readonly type: 'refused'; readonly usb: boolean; readonly failure: FailureFacts }
  | { readonly type: 'step'; readonly step: string }
  | { readonly type: 'connected'; readonly board: ConnectedBoard }
  /** Files or settings have changed, so the plan and an earlier result no longer apply. */
  | { readonly type: 'plan-outdated' }
  | { readonly type: 'plan' }
  | { readonly type: 'planned'; readonly plan: PlanFacts }
  /** The plan is not carried out before the user has seen it. */
  | { readonly type: 'hold'; readonly text?: string; readonly unsaved?: boolean }
  | { readonly type: 'write' }
  | { readonly type: 'write-event'; readonly event: WriteEvent }
  | { readonly type: 'stage'; readonly stage: WriteStage }
  /** @property emptied Extent of the erase, if the write has erased all of the flash. */
  | { readonly type: 'written'; readonly report: WriteReport; readonly emptied?: string | null }
  /** Facts of the board have been read again after a write. */
  | { readonly type: 'looked'; readonly board: ConnectedBoard }
  /** @property byHand True: the board could not be restarted from here, so the user has to press its button. */
  | { readonly type: 'restarted'; readonly byHand: boolean }
  /** The board stays in its bootloader after the write. */
  | { readonly type: 'stays' }
  /** Verdict of the monitor on the program's start so far; null: the monitor no longer listens. */
  | { readonly type: 'start-observed'; readonly startObservation: StartObservation | null }
  | { readonly type: 'work'; readonly kind: WorkProgress['kind']; readonly label: string }
  /** @property at Time in milliseconds, from any start. */
  | { readonly type: 'work-progress'; readonly done: number; readonly total: number; readonly at: number }
  /**
   * @property board Facts afterwards; null if they are unchanged.
   * @property emptied Extent of the erase, if all of the flash was erased.
   */
  | { readonly type: 'worked'; readonly board: ConnectedBoard | null; readonly emptied?: string | null }
  | { readonly type: 'cancel' }
  | { readonly type: 'failed'; readonly failure: FailureFacts }
  /** The board is gone, and no call was waiting for it. */
  | { readonly type: 'gone'; readonly failure: FailureFacts }
  /** The board is about to start its program without a write. */
  | { readonly type: 'release' }
  | { readonly type: 'released' }
  /** The board was released. */
  | { readonly type: 'closed' };

const busyPhases: readonly FlashPhase[] = ['connecting', 'planning', 'writing', 'restarting', 'working', 'releasing'];

/** Phases that the user can cancel. A restart is too short for that. */
const cancellablePhases: readonly FlashPhase[] = ['connecting', 'planning', 'writing', 'working'];

/** Returns true while an operation runs that must end before another begins. */
export const isBusy = ({ phase }: Pick<FlashState, 'phase'>): boolean => busyPhases.includes(phase);

/** Returns true if the board is in its bootloader and idle. */
export const isReady = ({ phase }: Pick<FlashState, 'phase'>): boolean => phase === 'detected' || phase === 'planned';

/** Returns true if the board is in its bootloader: idle, being compared, read or erased. */
export const holdsContents = ({ phase }: Pick<FlashState, 'phase'>): boolean =>
  isReady({ phase }) || phase === 'planning' || phase === 'working';

/** Returns true if leaving now would leave the board half written. */
export const isWriting = ({ phase, work }: FlashState): boolean =>
  phase === 'writing' || phase === 'restarting' || work?.kind === 'erase';

export function flashReducer(state: FlashState, action: FlashAction): FlashState {
  const next = after(state, action);
  // A cancel belongs to one phase. If it came too late for that phase, it must not stop the next.
  return next.cancelling && next.phase !== state.phase ? { ...next, cancelling: false } : next;
}

function after(state: FlashState, action: FlashAction): FlashState {
  const { phase } = state;
  switch (action.type) {
    case 'connect':
      return isBusy(state) ? state : connecting(state, action.source, action.byHand ?? false);
    case 'refused':
      return isBusy(state) ? state : refused(state, action.usb, action.failure);
    case 'step':
      return phase === 'connecting' ? { ...state, step: action.step } : state;
    case 'connected':
      return phase === 'connecting' ? { ...state, phase: 'detected', step: null, board: action.board } : state;
    case 'plan-outdated':
      return outdated(state);
    case 'plan':
      return isReady(state) ? { ...state, phase: 'planning', plan: null } : state;
    case 'planned':
      return phase === 'planning'
        ? { ...state, phase: 'planned', plan: action.plan, held: false, heldText: null, unsaved: false }
        : state;
    case 'hold':
      return phase === 'planned'
        ? { ...state, held: true, heldText: action.text ?? null, unsaved: action.unsaved === true }
        : state;
    case 'write':
      return phase === 'planned' && state.plan?.refusals.length === 0
        ? {
            ...state,
            phase: 'writing',
            held: false,
            heldText: null,
            unsaved: false,
            progress: null,
            stage: null,
            regions: [],
            report: null,
            emptied: null,
            startObservation: null,
          }
        : state;
    case 'stage':
      return phase === 'writing' ? { ...state, stage: action.stage } : state;
    case 'write-event':
      return phase === 'writing' ? afterWriteEvent(state, action.event) : state;
    case 'written':
      return phase === 'writing'
        ? {
            ...state,
            phase: 'restarting',
            report: action.report,
            regions: action.report.regions,
            // The last progress event may have come before the last byte was settled.
            progress: state.progress && { ...state.progress, done: state.progress.total, remaining: 0 },
            interrupted: false,
            erased: false,
            emptied: action.emptied ?? null,
          }
        : state;
    case 'looked':
      return ['writing', 'restarting', 'done', 'cancelled'].includes(phase) ? { ...state, board: action.board } : state;
    case 'restarted':
      return phase === 'restarting'
        ? { ...state, phase: 'done', holdsPort: false, restartByHand: state.restartByHand || action.byHand }
        : state;
    case 'stays':
      return phase === 'restarting' ? { ...state, phase: 'done' } : state;
    case 'start-observed':
      return phase === 'done' ? { ...state, startObservation: action.startObservation } : state;
    case 'work':
      return isReady(state)
        ? { ...state, phase: 'working', work: { kind: action.kind, label: action.label, done: null, total: null } }
        : state;
    case 'work-progress':
      return phase === 'working' && state.work !== null ? { ...state, work: progressed(state.work, action) } : state;
    case 'worked':
      return phase === 'working' ? worked(state, action) : state;
    case 'cancel':
      return cancellablePhases.includes(phase) ? { ...state, cancelling: true } : state;
    case 'failed':
      return isBusy(state) ? failed(state, action.failure) : state;
    case 'gone':
      return isReady(state)
        ? { ...failed(state, action.failure), holdsPort: false }
        : phase === 'done' && state.holdsPort
          ? { ...state, holdsPort: false }
          : state;
    case 'release':
      return isReady(state) || (phase === 'done' && state.holdsPort) ? { ...state, phase: 'releasing' } : state;
    case 'released':
      return phase === 'releasing' ? { ...state, phase: 'running', holdsPort: false, plan: null } : state;
    case 'closed':
      return { ...initialFlash };
  }
}

/** Starts a connection. A picked port may be another board, so only `same` keeps the facts of the previous board. */
function connecting(state: FlashState, source: FlashSource, byHand: boolean): FlashState {
  const { board, erased, emptied, interrupted, usb, regions } = state;
  const kept = source.kind === 'same' ? { board, erased, emptied, interrupted, usb, regions } : {};
  const isUsb = source.kind === 'usb' || source.kind === 'demo-usb' || source.kind === 'drive';
  return { ...initialFlash, usb: isUsb, ...kept, phase: 'connecting', holdsPort: true, source, restartByHand: byHand };
}

function refused(state: FlashState, usb: boolean, failure: FailureFacts): FlashState {
  return { ...failed(connecting(state, { kind: 'same' }, false), failure), usb };
}

/** Discards plan and result. A board that was released after its write must be connected again before the next plan. */
function outdated(state: FlashState): FlashState {
  switch (state.phase) {
    case 'planned':
    case 'planning':
    case 'detected':
      return { ...state, phase: 'detected', plan: null, regions: [] };
    case 'done':
      return {
        ...state,
        phase: 'running',
        plan: null,
        report: null,
        regions: [],
        progress: null,
        startObservation: null,
      };
    case 'failed':
    case 'cancelled':
      return { ...state, plan: null, regions: [], progress: null };
    default:
      return state;
  }
}

/** Shortest time of work after which its rate is used, in milliseconds. */
const rateAfter = 1_000;

function progressed(
  { kind, label, done: before, total: size, from: first }: WorkProgress,
  { done, total, at }: Extract<FlashAction, { type: 'work-progress' }>,
): WorkProgress {
  // A set of partitions is read range by range.
  const isNext = first === undefined || size !== total || done < (before ?? 0);
  const from = isNext ? { done, at } : first;
  const [bytes, time] = [done - from.done, at - from.at];
  const left = time < rateAfter || bytes === 0 ? null : ((total - done) / bytes) * time;
  return { kind, label, done, total, from, ...(left !== null && { left }) };
}

function worked(state: FlashState, action: Extract<FlashAction, { type: 'worked' }>): FlashState {
  const erases = state.work?.kind === 'erase';
  return {
    ...state,
    phase: 'detected',
    board: action.board ?? state.board,
    work: null,
    plan: null,
    regions: erases ? [] : state.regions,
    erased: state.erased || erases,
    emptied: action.emptied ?? state.emptied,
  };
}

function afterWriteEvent(state: FlashState, event: WriteEvent): FlashState {
  switch (event.type) {
    case 'progress':
      return { ...state, progress: event };
    case 'compared':
      return state;
    case 'region': {
      const { type: _, ...report } = event;
      const others = state.regions.filter(({ offset }) => offset !== report.offset);
      return { ...state, regions: [...others, report] };
    }
  }
}

/** Returns true while flash is being written or erased. */
const isChanging = ({ phase, work }: FlashState): boolean =>
  phase === 'writing' || (phase === 'working' && work?.kind === 'erase');

/** Failures after which the port is gone. */
const portLosses: readonly (string | null)[] = ['unplugged', 'port-gone', 'bench-lost'];

function failed(state: FlashState, facts: FailureFacts): FlashState {
  const interrupted = state.interrupted || state.phase === 'writing';
  // A thread that ended in the middle cannot say what it has written or erased.
  const isUnknown = facts.code === null && facts.state === 'unchanged' && isChanging(state);
  // If nothing was changed this time, the board is still in the state that an earlier erase or write left.
  const erased = state.erased || facts.state === 'erased';
  const before = state.interrupted ? 'incomplete' : erased ? 'erased' : 'unchanged';
  const left = isUnknown ? 'incomplete' : facts.state === 'unchanged' ? before : facts.state;
  return {
    ...state,
    phase: facts.code === 'cancelled' ? 'cancelled' : 'failed',
    // A connection that failed has released the port.
    holdsPort: state.holdsPort && state.phase !== 'connecting' && !portLosses.includes(facts.code),
    step: null,
    work: null,
    erased,
    interrupted: interrupted && left !== 'unchanged' && left !== 'erased',
    failure: { ...facts, state: left, during: state.phase, interrupted },
  };
}
