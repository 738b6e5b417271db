/** The Nordic flasher: the shared page with what only its boards have. */
import { FlasherPage } from '../../workbench/flasher/flasher-page.tsx';
import { describeBoard } from './board/board-facts.ts';
import { EntryWays } from './board/entry-ways.tsx';
import { SlotsCard } from './board/slots-card.tsx';
import { nordicRemedies } from './failures/remedies.ts';
import { SettingsCard } from './write/settings-card.tsx';

export function NordicFlasher() {
  return (
    <FlasherPage
      releaseSource={null}
      describe={describeBoard}
      ways={<EntryWays />}
      settings={<SettingsCard />}
      contents={<SlotsCard />}
      remedies={nordicRemedies}
    />
  );
}
