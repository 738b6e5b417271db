/** Properties of the parts of the board files. */
import type { PortNumber } from '@wirebench/serial';
import type { BoardView } from './board-store.ts';

export interface PortProps {
  readonly port: PortNumber;
}

export interface BoardPartProps extends PortProps {
  readonly view: BoardView;
  /** True: a job is under way, so that no other can begin. */
  readonly isBusy: boolean;
}
