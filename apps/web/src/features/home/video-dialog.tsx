import { useLoaded } from '../../shared/ui/use-loaded.ts';
import type { VideoDialogProps } from './video-popup.tsx';

const loadPopup = () => import('./video-popup.tsx');

/** Shows the demo video of a tool. */
export function VideoDialog(props: VideoDialogProps) {
  const loaded = useLoaded(props.tool !== null, loadPopup, props.onClose);
  return loaded === null ? null : <loaded.VideoPopup {...props} />;
}
