/** A family's flasher as a document of its own: its page is fetched, and leaving warns while a board is being worked on. */
import type { FlasherFamily } from '@wirebench/contract/constants';
import type { ComponentType } from 'react';
import { families } from '../workbench/families.ts';
import { benchPage } from './bench-page.ts';
import { type OpenPorts, warnBeforeLeaving } from './leave-warning.ts';
import { startDocument } from './start-document.tsx';
import { ToolDocument } from './tool-document.tsx';

interface FlasherModule {
  readonly FlasherPage: ComponentType<object>;
  /** Boards that must not be left now. */
  readonly boardsAtWork: OpenPorts;
}

export function startFlasherDocument(family: FlasherFamily, load: () => Promise<FlasherModule>): void {
  const Page = benchPage(async () => {
    const { FlasherPage, boardsAtWork } = await load();
    warnBeforeLeaving(boardsAtWork);
    return FlasherPage;
  });
  startDocument(
    <ToolDocument title={`${families[family].name} flasher: Wirebench`}>
      <Page />
    </ToolDocument>,
  );
}
