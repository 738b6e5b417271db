/** Parts that the element hands to one use of its dialog. */
import type { FlashDialog } from '../element/flash-dialog.ts';
import type {
  WirebenchFailureDetail,
  WirebenchFlashElement,
  WirebenchFlashState,
  WirebenchProgressDetail,
  WirebenchSuccessDetail,
} from '../public-types.ts';

export interface SessionParts {
  readonly dialog: FlashDialog;
  readonly options: Pick<WirebenchFlashElement, 'manifest' | 'release' | 'demo' | 'eraseFirst' | 'baudRate'>;
  readonly onState: (state: WirebenchFlashState, message: string) => void;
  readonly send: {
    (name: 'wirebench-progress', detail: WirebenchProgressDetail): void;
    (name: 'wirebench-success', detail: WirebenchSuccessDetail): void;
    (name: 'wirebench-failure', detail: WirebenchFailureDetail): void;
  };
  readonly close: () => void;
}
