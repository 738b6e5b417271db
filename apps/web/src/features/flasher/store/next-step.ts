/**
 * Next step after a write that a tool offers for a board, such as *Set up Wi-Fi*. The answer shows it as its main button
 * while the result is in view.
 */
import type { PortNumber } from '@wirebench/serial';
import type { ReactNode } from 'react';
import { pageStore } from '../../../shared/page-store.ts';

export interface NextStep {
  /** Words of the button: `Set up Wi-Fi`. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Sentence of the answer behind the one about the start. */
  readonly text: string;
  readonly onPress: () => void;
}

type Steps = Readonly<Partial<Record<PortNumber, NextStep | null>>>;

const steps = pageStore<Steps>({});

/** Offers the next step of a board; null withdraws it. The board's next write withdraws it as well. */
export function offerNextStep(port: PortNumber, step: NextStep | null): void {
  steps.setState({ [port]: step });
}

export function useNextStep(port: PortNumber): NextStep | null {
  return steps.use((all) => all[port] ?? null);
}
