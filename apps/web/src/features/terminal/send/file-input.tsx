import type { PortNumber } from '@wirebench/serial';
import type { RefObject } from 'react';
import { chooseFile } from './file-sending.ts';

export interface FileInputProps {
  /** Port that receives the file. */
  readonly port: PortNumber;
  readonly input: RefObject<HTMLInputElement | null>;
}

/** Hidden field behind "Send a file…". The chosen files go to the strip above the send bar. */
export function FileInput({ port, input }: FileInputProps) {
  return (
    <input
      ref={input}
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
