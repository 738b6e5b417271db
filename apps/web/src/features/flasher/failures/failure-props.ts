import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { PortNumber } from '@wirebench/serial';
import type { ConnectTry } from '../../../protocol/flash-protocol.ts';
import type { Failure } from '../state/flash-state.ts';
import { connectAgain, resume } from '../store/flash-actions.ts';

/** Properties of every failure's component. */
export interface FailureProps {
  readonly port: PortNumber;
  readonly failure: Failure;
  /** Guidance topic to link to; null if the documentation has nothing to add. */
  readonly topic: GuidanceTopic | null;
}

/** Resumes a write that was interrupted; else connects again. */
export function tryAgain({ port, failure }: Pick<FailureProps, 'port' | 'failure'>, attempt: ConnectTry = {}): void {
  void (failure.interrupted ? resume(port, attempt) : connectAgain(port, attempt));
}
