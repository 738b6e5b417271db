/** The Espressif flasher: the shared page with the components of this family. */
import { useState } from 'react';
import { useLoaded } from '../../../../shared/ui/use-loaded.ts';
import { readLogDump } from '../../../../workbench/crash/log-dump.ts';
import { type LogDumpPlace, newestCoreDump } from '../../../../workbench/crash/symbol-files.ts';
import { FlasherPage } from '../../flasher-page.tsx';
import type { ReleaseSource } from '../../release/use-release.ts';
import { useFlash } from '../../store/flasher-store.ts';
import { BatchWifiCard } from './board/batch-wifi-card.tsx';
import { describeBoard } from './board/board-facts.ts';
import { CrashCard, type OpenedDump } from './board/crash-card.tsx';
import { CrashStrip } from './board/crash-strip.tsx';
import { espRemedies } from './failures/remedies.ts';
import { NvsBackupOffer } from './write/nvs-backup-offer.tsx';
import { SettingsCard } from './write/settings-card.tsx';

const loadOnBoard = () => import('./on-board/on-board.tsx');

export interface EspFlasherProps {
  /** Null if the page's address names no release. */
  readonly releaseSource: ReleaseSource | null;
}

export function EspFlasher({ releaseSource }: EspFlasherProps) {
  const [opened, setOpened] = useState<OpenedDump | null>(null);
  const openDump = async (place: LogDumpPlace) => {
    const dump = await readLogDump(place);
    setOpened(dump === null ? null : { dump, newest: newestCoreDump() });
  };
  return (
    <FlasherPage
      releaseSource={releaseSource}
      describe={describeBoard}
      settings={<SettingsCard />}
      news={<CrashStrip />}
      backup={<NvsBackupOffer />}
      contents={
        <>
          <BatchWifiCard />
          <OnBoardPlace />
          <CrashCard opened={opened} />
        </>
      }
      remedies={espRemedies}
      onOpenDump={(place) => void openDump(place)}
    />
  );
}

/** Fetches *On the board* with the first board. */
function OnBoardPlace() {
  const hasBoard = useFlash(({ board }) => board !== null);
  const loaded = useLoaded(hasBoard, loadOnBoard, () => undefined);
  return loaded === null ? null : <loaded.OnBoard />;
}
