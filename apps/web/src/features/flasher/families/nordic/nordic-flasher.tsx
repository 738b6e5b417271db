/** The Nordic flasher: the shared page with the components of this family. */
import { FlasherPage } from '../../flasher-page.tsx';
import type { ReleaseSource } from '../../release/use-release.ts';
import { describeBoard } from './board/board-facts.ts';
import { EntryWays } from './board/entry-ways.tsx';
import { SlotsCard } from './board/slots-card.tsx';
import { nordicRemedies } from './failures/remedies.ts';
import { SettingsCard } from './write/settings-card.tsx';

export interface NordicFlasherProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
}

export function NordicFlasher({ releaseSource }: NordicFlasherProps) {
  return (
    <FlasherPage
      releaseSource={releaseSource}
      describe={describeBoard}
      ways={<EntryWays />}
      settings={<SettingsCard />}
      contents={<SlotsCard />}
      remedies={nordicRemedies}
    />
  );
}
