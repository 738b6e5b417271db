import { LoadRefused } from './failed-act.ts';

/** The panel was removed, in another tab, while its library was open. */
export function contentGone(): never {
  throw new LoadRefused('This panel no longer exists. Close the library, then open it on another one.');
}
