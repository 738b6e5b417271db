/** A file name that breaks at its separators and before its extension if a line is too short: `bootloader` / `.bin`. */
import { Fragment } from 'react';

export function FileName({ name }: { readonly name: string }) {
  return partsOf(name).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move
    <Fragment key={index}>
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}

/**
 * NUL is safe as a separator, because no name contains it. A lookbehind would be simpler, but older browsers lack it.
 */
const partsOf = (name: string) =>
  name
    .replace(/[-_]|(?=\.[^.]*$)/g, (mark) => `${mark}\0`)
    .split('\0')
    .filter((part) => part !== '');
