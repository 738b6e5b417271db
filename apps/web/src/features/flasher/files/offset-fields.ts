/** Whether the offsets of the listed files are open for editing: for their table, and for the answer that leads there. */
import { createContext } from 'react';

/** State of the fields for offsets: they are text until the user opens them. */
export interface OffsetFields {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

export const OffsetFieldsContext = createContext<OffsetFields>({ open: false, setOpen: () => undefined });
