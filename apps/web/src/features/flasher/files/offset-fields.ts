/** Tells the table of the listed files, and the answer that leads there, that offsets are open for editing. */
import { createContext } from 'react';

/** State of the fields for offsets: they are text until the user opens them. */
export interface OffsetFields {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

export const OffsetFieldsContext = createContext<OffsetFields>({ open: false, setOpen: () => undefined });
