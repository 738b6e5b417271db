/**
 * The course of one board's flash, from nothing to a receipt, as a pure function of what happened. What comes late or out of
 * turn changes nothing: a message that was on its way when somebody pressed Stop must not bring the flash back to life.
 */
import type { BoardState, RegionReport, WriteEvent, WriteReport } from '@wirebench/flasher/core';
import type { ConnectedBoard } from '../families.ts';
import type { PlanFacts, WriteStage } from '../flash-protocol.ts';
import type { FlashSource } from '../usb-source.ts';
import type { StartObservation } from './start-observation.ts';

/**
 * `none`: no board. `connecting`, `detected`: in its bootloader. `planning`, `planned`: compared with what is to be written.
 * `writing`: until the last hash. `restarting`: after a write. `working`: read or erased. `releasing`, then `running`: restarted without a
 * write. `done`, `failed`, `cancelled`.
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

/** What keeps a flash from going on. */
export interface Failure {
  /** One of the family's failures; else null. */
  readonly code: string | null;
  readonly message: string;
  /** What exactly, for the log and the curious. */
  readonly detail: string | null;
  /** In what state the board was left. */
  readonly state: BoardState;
  /** During what it came. */
  readonly during: FlashPhase;
  /** A write came to no end, then or before: the rest of it is still to be written. */
  readonly interrupted: boolean;
}

/** What is known where it happens; the rest follows from the course so far. */
export type FailureFacts = Omit<Failure, 'during' | 'interrupted'>;

export type WriteProgress = Extract<WriteEvent, { type: 'progress' }>;

export interface WorkProgress {
  readonly kind: 'read' | 'erase';
  /** What is done: `Reading 0x9000`. */
  readonly label: string;
  /** Bytes; null before the first word from the board. */
  readonly done: number | null;
  readonly total: number | null;
}

export interface FlashState {
  readonly phase: FlashPhase;
  /** How the board was reached, so that it can be reached again. */
  readonly source: FlashSource | null;
  /** It is, or was to be, a USB device and no serial port: another dialog of the browser's picks it. */
  readonly usb: boolean;
  /** The board that is connected, or was last: it is known again by its id. */
  readonly board: ConnectedBoard | null;
  /** Of the connection, in the family's own steps. */
  readonly step: string | null;
  readonly plan: PlanFacts | null;
  readonly progress: WriteProgress | null;
  /** What a write is at. */
  readonly stage: WriteStage | null;
  /** What has become of the regions so far; kept while the same board is connected again. */
  readonly regions: readonly RegionReport[];
  readonly work: WorkProgress | null;
  /** Flash was erased, or may have been in part, and was not written again; kept while the same board is connected again. */
  readonly erased: boolean;
  readonly cancelling: boolean;
  readonly report: WriteReport | null;
  /** A write came to no end, and was not gone on with yet. */
  readonly interrupted: boolean;
  /** The board cannot be restarted from here: a person has to press its button. */
  readonly restartByHand: boolean;
  /** What the monitor has heard since the board was restarted; null while nobody listens. */
  readonly startObservation: StartObservation | null;
  readonly failure: Failure | null;
}

export const initialFlash: FlashState = {
  phase: 'none',
  source: null,
  usb: false,
  board: null,
  step: null,
  plan: null,
  progress: null,
  stage: null,
  regions: [],
  work: null,
  erased: false,
  cancelling: false,
  report: null,
  interrupted: false,
  restartByHand: false,
  startObservation: null,
  failure: null,
};

export type FlashAction =
  /** @property byHand somebody has put the board into its bootloader: it cannot be reset from here */
  | { readonly type: 'connect'; readonly source: FlashSource; readonly byHand?: boolean }
  /** The browser let nobody pick a board. @property usb a USB device, and no serial port, was asked for */
  | { readonly type: 'refused'; readonly usb: boolean; readonly failure: FailureFacts }
  | { readonly type: 'step'; readonly step: string }
  | { readonly type: 'connected'; readonly board: ConnectedBoard }
  /** The files or the settings have changed: neither the plan nor the result of an earlier write is about them. */
  | { readonly type: 'plan-outdated' }
  | { readonly type: 'plan' }
  | { readonly type: 'planned'; readonly plan: PlanFacts }
  | { readonly type: 'write' }
  | { readonly type: 'write-event'; readonly event: WriteEvent }
  | { readonly type: 'stage'; readonly stage: WriteStage }
  | { readonly type: 'written'; readonly report: WriteReport }
  /** @property byHand it could not be restarted from here: a person has to press its button */
  | { readonly type: 'restarted'; readonly byHand: boolean }
  /** What the monitor has heard of the program so far; null: nobody listens any more. */
  | { readonly type: 'start-observed'; readonly startObservation: StartObservation | null }
  | { readonly type: 'work'; readonly kind: WorkProgress['kind']; readonly label: string }
  | { readonly type: 'work-progress'; readonly done: number; readonly total: number }
  /** @property board as it is now; null when it is as before */
  | { readonly type: 'worked'; readonly board: ConnectedBoard | null }
  | { readonly type: 'cancel' }
  | { readonly type: 'failed'; readonly failure: FailureFacts }
  /** The board is no longer there, and nobody was waiting for it. */
  | { readonly type: 'gone'; readonly failure: FailureFacts }
  /** The board is to start its program, though nothing was written. */
  | { readonly type: 'release' }
  | { readonly type: 'released' }
  /** The board was released. */
  | { readonly type: 'closed' };

const busyPhases: readonly FlashPhase[] = ['connecting', 'planning', 'writing', 'restarting', 'working', 'releasing'];

/** What can be stopped half-way; a restart lasts a moment and has no middle. */
const cancellablePhases: readonly FlashPhase[] = ['connecting', 'planning', 'writing', 'working'];

/** Something goes on that has to end before something else begins. */
export const isBusy = ({ phase }: Pick<FlashState, 'phase'>): boolean => busyPhases.includes(phase);

/** The board is in its bootloader and waits for what to do. */
export const isReady = ({ phase }: Pick<FlashState, 'phase'>): boolean => phase === 'detected' || phase === 'planned';

/** The board is in its bootloader: ready, or at work for what is asked of its contents. */
export const holdsContents = ({ phase }: Pick<FlashState, 'phase'>): boolean =>
  isReady({ phase }) || phase === 'planning' || phase === 'working';

/** Leaving now would leave a board half written. */
export const isWriting = ({ phase, work }: FlashState): boolean =>
  phase === 'writing' || phase === 'restarting' || work?.kind === 'erase';

export function flashReducer(state: FlashState, action: FlashAction): FlashState {
  const next = after(state, action);
  // A cancel is about one phase: where it came too late for that one, it must not stop the next.
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
      return phase === 'planning' ? { ...state, phase: 'planned', plan: action.plan } : state;
    case 'write':
      return phase === 'planned' && state.plan?.refusals.length === 0
        ? { ...state, phase: 'writing', progress: null, stage: null, regions: [], report: null, startObservation: null }
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
            // The last event may have come before the last byte was settled.
            progress: state.progress && { ...state.progress, done: state.progress.total, remaining: 0 },
            interrupted: false,
            erased: false,
          }
        : state;
    case 'restarted':
      return phase === 'restarting'
        ? { ...state, phase: 'done', restartByHand: state.restartByHand || action.byHand }
        : state;
    case 'start-observed':
      return phase === 'done' ? { ...state, startObservation: action.startObservation } : state;
    case 'work':
      return isReady(state)
        ? { ...state, phase: 'working', work: { kind: action.kind, label: action.label, done: null, total: null } }
        : state;
    case 'work-progress':
      return phase === 'working' && state.work !== null
        ? { ...state, work: { ...state.work, done: action.done, total: action.total } }
        : state;
    case 'worked':
      return phase === 'working' ? worked(state, action.board ?? state.board) : state;
    case 'cancel':
      return cancellablePhases.includes(phase) ? { ...state, cancelling: true } : state;
    case 'failed':
      return isBusy(state) ? failed(state, action.failure) : state;
    case 'gone':
      return isReady(state) ? failed(state, action.failure) : state;
    case 'release':
      return isReady(state) ? { ...state, phase: 'releasing' } : state;
    case 'released':
      return phase === 'releasing' ? { ...state, phase: 'running', plan: null } : state;
    case 'closed':
      return { ...initialFlash };
  }
}

/** Whoever picks a port may mean another board; whoever goes on means the same. */
function connecting(state: FlashState, source: FlashSource, byHand: boolean): FlashState {
  const { board, erased, interrupted, usb, regions } = state;
  const kept = source.kind === 'same' ? { board, erased, interrupted, usb, regions } : {};
  const isUsb = source.kind === 'usb' || source.kind === 'demo-usb';
  return { ...initialFlash, usb: isUsb, ...kept, phase: 'connecting', source, restartByHand: byHand };
}

function refused(state: FlashState, usb: boolean, failure: FailureFacts): FlashState {
  return { ...failed(connecting(state, { kind: 'same' }, false), failure), usb };
}

/** A board that was released after its write is not in its bootloader: it has to be connected again before it is planned for. */
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

function worked(state: FlashState, board: ConnectedBoard | null): FlashState {
  const erases = state.work?.kind === 'erase';
  const regions = erases ? [] : state.regions;
  return { ...state, phase: 'detected', board, work: null, plan: null, regions, erased: state.erased || erases };
}

function afterWriteEvent(state: FlashState, event: WriteEvent): FlashState {
  switch (event.type) {
    case 'progress':
      return { ...state, progress: event };
    case 'compared':
      return state;
    case 'region': {
      const { offset, length, outcome, proof } = event;
      const others = state.regions.filter((region) => region.offset !== offset);
      return { ...state, regions: [...others, { offset, length, outcome, proof }] };
    }
  }
}

function failed(state: FlashState, facts: FailureFacts): FlashState {
  const interrupted = state.interrupted || state.phase === 'writing';
  // Nothing was changed this time, but the board is still as the erase or the write before has left it.
  const erased = state.erased || facts.state === 'erased';
  const before = state.interrupted ? 'incomplete' : erased ? 'erased' : 'unchanged';
  const left = facts.state === 'unchanged' ? before : facts.state;
  return {
    ...state,
    phase: facts.code === 'cancelled' ? 'cancelled' : 'failed',
    step: null,
    work: null,
    erased,
    interrupted: interrupted && left !== 'unchanged' && left !== 'erased',
    failure: { ...facts, state: left, during: state.phase, interrupted },
  };
}
