/** The Arduino flasher: the shared page with the components of this family. */

import type { ReleaseSource } from '../../../../workbench/release/release.ts';
import { FlasherPage } from '../../flasher-page.tsx';
import { AvrContentsCard } from './board/contents-card.tsx';
import { describeAvr } from './board/describe-avr.ts';
import { AvrWays } from './board/ways.tsx';
import { avrRemedies } from './failures/remedies.tsx';
import { AvrSettingsCard } from './write/settings-card.tsx';

export interface AvrFlasherProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
}

export function AvrFlasher({ releaseSource }: AvrFlasherProps) {
  return (
    <FlasherPage
      releaseSource={releaseSource}
      describe={describeAvr}
      ways={<AvrWays />}
      settings={<AvrSettingsCard />}
      contents={<AvrContentsCard />}
      remedies={avrRemedies}
    />
  );
}
