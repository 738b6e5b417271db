/** The Raspberry Pi flasher: the shared page with the components of this family. */
import { loadedPlace } from '../../../../shared/ui/loaded-dialog.tsx';
import type { ReleaseSource } from '../../../../workbench/release/release.ts';
import { FlasherPage } from '../../flasher-page.tsx';
import { useShownFiles } from '../../store/board-builds.ts';
import { EraseCheck } from '../../write/settings-frame.tsx';
import { RpAwaited } from './board/awaited.tsx';
import { RpContentsCard } from './board/contents-card.tsx';
import { describeRp } from './board/describe-rp.ts';
import { RpWays } from './board/ways.tsx';
import { rpRemedies } from './failures/remedies.tsx';

export interface RpFlasherProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
}

export function RpFlasher({ releaseSource }: RpFlasherProps) {
  return (
    <FlasherPage
      releaseSource={releaseSource}
      describe={describeRp}
      ways={<RpWays />}
      awaited={<RpAwaited />}
      settings={<EraseCheck />}
      backup={undefined}
      contents={
        <>
          <FilesPlace />
          <RpContentsCard />
        </>
      }
      remedies={rpRemedies}
    />
  );
}

/** Fetches what the files say of themselves with the first file. */
const FilesPlace = loadedPlace(
  () => useShownFiles(({ files }) => files.length > 0),
  async () => (await import('./write/files-card.tsx')).RpFilesCard,
);
