import { useLoaded } from '../../shared/ui/use-loaded.ts';
import type { ToolId } from './cards.ts';

export interface VideoDialogProps {
  /** Whose video is shown; null while none is. */
  readonly tool: ToolId | null;
  readonly onClose: () => void;
  /** The way to the flasher goes through the choice of a chip family. */
  readonly onChooseFamily: () => void;
}

const loadPopup = () => import('./video-popup.tsx');

/** The demo video of a tool, in a dialog. */
export function VideoDialog(props: VideoDialogProps) {
  const loaded = useLoaded(props.tool !== null, loadPopup, props.onClose);
  return loaded === null ? null : <loaded.VideoPopup {...props} />;
}
