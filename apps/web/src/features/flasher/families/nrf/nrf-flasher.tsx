/** The Nordic flasher: the shared page with the components of this family. */

import type { ReleaseSource } from '../../../../workbench/release/release.ts';
import { FlasherPage } from '../../flasher-page.tsx';
import { describeBoard } from './board/board-facts.ts';
import { EntryWays } from './board/entry-ways.tsx';
import { SlotsCard } from './board/slots-card.tsx';
import { nrfRemedies } from './failures/remedies.tsx';
import { SettingsCard } from './write/settings-card.tsx';

export interface NrfFlasherProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
}

export function NrfFlasher({ releaseSource }: NrfFlasherProps) {
  return (
    <FlasherPage
      releaseSource={releaseSource}
      describe={describeBoard}
      ways={<EntryWays />}
      settings={<SettingsCard />}
      contents={<SlotsCard />}
      remedies={nrfRemedies}
    />
  );
}
