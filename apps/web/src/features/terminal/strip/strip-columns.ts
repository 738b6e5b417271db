/** Columns of the port strip: the wide tabs first, then the label, the slim tabs and their menu. */
import { type PortNumber, portNumbers } from '@wirebench/serial';

export interface StripColumns {
  /** Value of `grid-template-columns`. */
  readonly template: string;
  /** Column of a port's tab, from 1. */
  readonly columnOf: (port: PortNumber) => number;
  readonly labelColumn: number;
  readonly menuColumn: number;
}

/**
 * Returns the columns of the strip.
 *
 * @param wide Ports with a wide tab, ascending.
 * @param isSmall True: only the selected port has room for its name.
 */
export function stripColumns(wide: readonly PortNumber[], selected: PortNumber, isSmall: boolean): StripColumns {
  const free = portNumbers.filter((port) => !wide.includes(port));
  const labelColumn = wide.length + 1;
  const tabs = wide.map((port) => (isSmall && port !== selected ? 'minmax(40px, 56px)' : widths(free.length, isSmall)));
  const rest = free.length === 0 ? [] : ['auto', ...free.map(() => (isSmall ? '40px' : '38px')), 'minmax(auto, 1fr)'];
  return {
    template: [...tabs, ...rest].join(' '),
    columnOf: (port) => (wide.includes(port) ? wide.indexOf(port) + 1 : labelColumn + 1 + free.indexOf(port)),
    labelColumn,
    menuColumn: labelColumn + 1 + free.length,
  };
}

/** Returns the width of a wide tab. Four of them share the whole strip. */
const widths = (free: number, isSmall: boolean) =>
  isSmall ? 'minmax(124px, 176px)' : free === 0 ? 'minmax(0, 1fr)' : 'minmax(0, 392px)';
