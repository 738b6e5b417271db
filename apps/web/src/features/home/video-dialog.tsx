import { useLoaded } from '../../shared/ui/use-loaded.ts';
import type { VideoDialogProps } from './video-popup.tsx';

const loadPopup = () => import('./video-popup.tsx');

/** The demo video of a tool, in a dialog. */
export function VideoDialog(props: VideoDialogProps) {
  const loaded = useLoaded(props.tool !== null, loadPopup, props.onClose);
  return loaded === null ? null : <loaded.VideoPopup {...props} />;
}
