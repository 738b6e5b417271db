/** Converts a macro to frames. Checks every entry and every read against the policy first, and splits long lists. */
import { type Request, readRegRequest, writeRegsRequest } from '@wirebench/flasher/esp/rom';
import type { LinkLimits } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import type { MacroStep, RegisterEntry } from '../macro.ts';
import type { Policy } from '../policy/policy.ts';

/** One frame and its cost. */
export interface WireRequest {
  readonly request: Request;
  /** Number of list entries; null for a read. */
  readonly entries: number | null;
  /** Milliseconds that the chip waits while it executes this frame. */
  readonly delay: number;
}

export type WireStep =
  | { readonly kind: 'requests'; readonly requests: readonly WireRequest[] }
  | {
      readonly kind: 'poll';
      readonly request: WireRequest;
      readonly until: (word: number) => boolean;
      readonly tries: number;
    };

/** Maximum sum of a macro's delays in microseconds, so that a lost link is noticed soon. */
const longestDelays = 500_000;

/**
 * Converts all steps of a macro.
 *
 * @throws LabError `refused`, with the policy's reason.
 */
export function wireSteps(steps: readonly MacroStep[], policy: Policy, limits: LinkLimits): WireStep[] {
  const total = steps.reduce((sum, step) => (step.kind === 'write' ? sum + delayOf(step.entries) : sum), 0);
  if (total > longestDelays) {
    throw refused('All delays together may take at most half a second.');
  }
  return steps.map((step) => wireStep(step, policy, limits));
}

function wireStep(step: MacroStep, policy: Policy, limits: LinkLimits): WireStep {
  switch (step.kind) {
    case 'write':
      return { kind: 'requests', requests: listRequests(step.entries, policy, limits) };
    case 'read':
      return { kind: 'requests', requests: step.addresses.map((address) => readRequest(address, policy)) };
    case 'poll': {
      const { address, until, tries } = step;
      return { kind: 'poll', request: readRequest(address, policy), until, tries };
    }
  }
}

/**
 * Splits `entries` into lists within the answering program's limit, with delays in its own units. An empty list is
 * still one frame.
 */
export function listRequests(
  entries: readonly RegisterEntry[],
  policy: Policy,
  { list, delayUnit }: LinkLimits,
): WireRequest[] {
  mustPass(entries.map((entry) => policy.writeRefusal(entry)));
  const converted = entries.map((entry) => ({ ...entry, delay: Math.ceil(entry.delay / delayUnit) }));
  const requests: WireRequest[] = [];
  for (let at = 0; at === 0 || at < entries.length; at += list) {
    const part = converted.slice(at, at + list);
    // Counts delays in units. With another crystal the wait for an answer may be too long, but never too short.
    requests.push({ request: writeRegsRequest(part), entries: part.length, delay: delayOf(part) / 1000 });
  }
  return requests;
}

export function readRequest(address: number, policy: Policy): WireRequest {
  mustPass([policy.readRefusal(address)]);
  return { request: readRegRequest(address), entries: null, delay: 0 };
}

function mustPass(refusals: readonly (string | null)[]): void {
  const reason = refusals.find((refusal) => refusal !== null);
  if (reason !== undefined && reason !== null) {
    throw refused(reason);
  }
}

function delayOf(entries: readonly RegisterEntry[]): number {
  return entries.reduce((sum, { delay }) => sum + delay, 0);
}
