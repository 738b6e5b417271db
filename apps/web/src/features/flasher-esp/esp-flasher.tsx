/** The Espressif flasher: the shared page with what only its boards have. */
import { FlasherPage } from '../../workbench/flasher/flasher-page.tsx';
import type { ReleaseSource } from '../../workbench/flasher/release/use-release.ts';
import { describeBoard } from './board/board-facts.ts';
import { ContentsCard } from './board/contents-card.tsx';
import { CrashCard } from './board/crash-card.tsx';
import { espRemedies } from './failures/remedies.ts';
import { SettingsCard } from './write/settings-card.tsx';

export interface EspFlasherProps {
  /** Null when the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
}

export function EspFlasher({ releaseSource }: EspFlasherProps) {
  return (
    <FlasherPage
      releaseSource={releaseSource}
      describe={describeBoard}
      settings={<SettingsCard />}
      contents={
        <>
          <ContentsCard />
          <CrashCard />
        </>
      }
      remedies={espRemedies}
    />
  );
}
