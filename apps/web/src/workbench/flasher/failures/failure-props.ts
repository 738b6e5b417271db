import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { PortNumber } from '@wirebench/serial';
import type { ConnectTry } from '../flash-protocol.ts';
import type { Failure } from '../state/flash-state.ts';
import { connectAgain, resume } from '../store/flash-actions.ts';

/** What every failure's component gets. */
export interface FailureProps {
  readonly port: PortNumber;
  readonly failure: Failure;
  /** Where the documentation says more; null where it does not. */
  readonly topic: GuidanceTopic | null;
}

/** Goes on with a write that was interrupted; else connects once more. */
export function tryAgain({ port, failure }: Pick<FailureProps, 'port' | 'failure'>, attempt: ConnectTry = {}): void {
  void (failure.interrupted ? resume(port, attempt) : connectAgain(port, attempt));
}
