/** The name of a file, which breaks at its marks and before its extension where a line is too short: `bootloader` / `.bin`. */
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

/** No name has a NUL. (Without a lookbehind, which older browsers do not read.) */
const partsOf = (name: string) =>
  name
    .replace(/[-_]|(?=\.[^.]*$)/g, (mark) => `${mark}\0`)
    .split('\0')
    .filter((part) => part !== '');
