import type { FailureProps } from '../../../workbench/flasher/failures/failure-props.ts';
import { Wiring } from '../../../workbench/flasher/failures/wiring.tsx';

/** The chip says that it is in its bootloader, but nothing that is sent reaches it. */
export function DeafBoard(props: FailureProps) {
  return <Wiring {...props} deaf />;
}
