/**
 * Protocol between page and bench: calls with answers, and one small tick after each change. Rows, bytes and files
 * travel only on request. All values can be cloned between threads. Each subject has a part in a file of its own; this
 * file joins them.
 */
import type { CallMessage, FromWorker, ToWorker } from '../calls/call-protocol.ts';
import { type BoardCalls, boardFilesPart } from './board-files-part.ts';
import { type CrashCalls, crashPart } from './crash-part.ts';
import { type Fact, revision, sameField, type TickFact } from './fact.ts';
import { type FindCalls, findPart } from './find-part.ts';
import { type FrameCalls, framePart } from './frame-part.ts';
import { type ImprovCalls, improvPart } from './improv-part.ts';
import { type JobCalls, jobPart } from './job-part.ts';
import { type ModbusCalls, modbusPart } from './modbus-part.ts';
import { type PlotCalls, plotPart } from './plot-part.ts';
import { lostStatus, type PortCalls, portPart } from './port-part.ts';
import { type RecordingCalls, recordingPart } from './recording-part.ts';
import { type RowCalls, rowPart } from './row-part.ts';
import { type RuleCalls, rulePart } from './rule-part.ts';
import { type TrialCalls, trialPart } from './trial-part.ts';

/** Calls of the page to the bench. Every call returns a promise; failures arrive as `CallError`. */
export interface BenchApi
  extends PortCalls,
    RowCalls,
    FindCalls,
    FrameCalls,
    TrialCalls,
    RuleCalls,
    PlotCalls,
    CrashCalls,
    JobCalls,
    BoardCalls,
    ImprovCalls,
    ModbusCalls,
    RecordingCalls {}

const parts = [
  portPart,
  rowPart,
  findPart,
  framePart,
  trialPart,
  rulePart,
  plotPart,
  crashPart,
  jobPart,
  boardFilesPart,
  improvPart,
  modbusPart,
  recordingPart,
] as const;

/** All of the types of a union at once. */
type Joined<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Facts = Joined<(typeof parts)[number]['facts']>;

export type BenchTick = { readonly [Name in keyof Facts]: Facts[Name] extends { idle: infer Value } ? Value : never };

/** State of the bench, for components. */
export type BenchFacts = {
  readonly [Name in keyof Facts as Facts[Name] extends Fact<unknown> ? Name : never]: BenchTick[Name];
};

type CallName = keyof BenchApi;

export type Call<Name extends CallName = CallName> = CallMessage<Name, Parameters<BenchApi[Name]>>;

export type ToBench = ToWorker<Call>;
export type FromBench = FromWorker<BenchTick>;
export type { Channel } from '../calls/call-protocol.ts';

const facts = parts.flatMap((part) => Object.entries<Fact<unknown> | TickFact<unknown>>(part.facts)) as [
  keyof BenchTick,
  Fact<unknown> | TickFact<unknown>,
][];

/** Tick of a bench that has not started. */
export const idleTick = Object.fromEntries(facts.map(([name, { idle }]) => [name, idle])) as unknown as BenchTick;

/** Returns the tick of a bench that is lost: what is counted and shown of the log stays. */
export function lostTick(last: BenchTick): BenchTick {
  const revisions = facts.filter(([, known]) => known === revision).map(([name]) => [name, last[name]]);
  return { ...idleTick, ...Object.fromEntries(revisions), status: lostStatus(last.status) };
}

/** Returns true if only counters differ, and what components do not show. */
export const sameFacts = (before: BenchTick, after: BenchTick): boolean =>
  facts.every(([name, { counters }]) => counters === null || sameField(name, before[name], after[name], counters));

const quiet: ReadonlySet<unknown> = new Set(parts.flatMap((part): readonly string[] => part.quiet));

/** Returns true for a call that the screen makes by itself, not a person. */
export const isQuiet = (call: CallName): boolean => quiet.has(call);
