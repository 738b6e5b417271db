/** Steps for tests of crashes in the whole terminal page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, screen, within } from '@testing-library/react';

/** Reads a test fixture of `packages/symbols`. */
export const fixture = (name: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    readFileSync(join(import.meta.dirname, '../../../../../../packages/symbols/src/testing/fixtures', name)),
  );

/** Drops a file on the page's body. */
export function drop(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const dataTransfer = { types: ['Files'], items: [], files: [new File([bytes], name)] };
  fireEvent.dragEnter(document.body, { dataTransfer });
  fireEvent.dragOver(document.body, { dataTransfer });
  fireEvent.drop(document.body, { dataTransfer });
}

export const dumpView = () => screen.getByRole('article', { name: 'Core dump' });

export const headingOf = (view: () => HTMLElement) => () => within(view()).getByRole('heading', { level: 2 });
