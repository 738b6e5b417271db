import type { FailureProps } from '../../../failures/failure-props.ts';
import { Wiring } from '../../../failures/wiring.tsx';

/** Shown if the chip reports that it is in its bootloader, but receives nothing. */
export function DeafBoard(props: FailureProps) {
  return <Wiring {...props} deaf />;
}
