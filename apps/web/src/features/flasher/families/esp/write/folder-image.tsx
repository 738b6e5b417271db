/** Fetches the dialog that makes a file system from a folder when it is opened. */
import { useLoaded } from '../../../../../shared/ui/use-loaded.ts';
import type { FolderImageProps } from '../../../page-family.ts';

const load = () => import('./folder-image-dialog.tsx');

export function FolderImage({ open, onClose }: FolderImageProps) {
  const loaded = useLoaded(open, load, onClose);
  return loaded === null ? null : <loaded.FolderImageDialog open={open} onClose={onClose} />;
}
