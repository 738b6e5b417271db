/** The STM32 flasher: the shared page with the components of this family. */

import type { ReleaseSource } from '../../../../workbench/release/release.ts';
import { FlasherPage } from '../../flasher-page.tsx';
import { StmContentsCard } from './board/contents-card.tsx';
import { describeStm } from './board/describe-stm.ts';
import { StmWays } from './board/ways.tsx';
import { stmRemedies } from './failures/remedies.tsx';
import { StmSettingsCard } from './write/settings-card.tsx';

export interface StmFlasherProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
}

export function StmFlasher({ releaseSource }: StmFlasherProps) {
  return (
    <FlasherPage
      releaseSource={releaseSource}
      describe={describeStm}
      ways={<StmWays />}
      settings={<StmSettingsCard />}
      contents={<StmContentsCard />}
      remedies={stmRemedies}
    />
  );
}
