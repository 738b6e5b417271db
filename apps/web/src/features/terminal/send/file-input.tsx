import type { PortNumber } from '@wirebench/serial';
import { chooseFile } from './file-sending.ts';

export const fileInputId = 'file-to-send';

/**
 * Hidden field behind "Send a file…" of the tools. The chosen files go to the strip above the send bar.
 *
 * @param port Port that receives the file.
 */
export function FileInput({ port }: { readonly port: PortNumber }) {
  return (
    <input
      id={fileInputId}
      type="file"
      multiple
      hidden
      aria-label={`File to send to port ${port}`}
      onChange={(event) => {
        const [file, ...more] = event.currentTarget.files ?? [];
        if (file !== undefined) {
          chooseFile(port, file, more);
        }
        // Reset, so that choosing the same file again fires a change event.
        event.currentTarget.value = '';
      }}
    />
  );
}
