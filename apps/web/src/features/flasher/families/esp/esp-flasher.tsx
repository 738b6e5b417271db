/** The Espressif flasher: the shared page with the components of this family. */
import { useState } from 'react';
import { loadedPlace } from '../../../../shared/ui/loaded-dialog.tsx';
import { readLogDump } from '../../../../workbench/crash/log-dump.ts';
import { type LogDumpPlace, newestCoreDump } from '../../../../workbench/crash/symbol-files.ts';
import type { ReleaseSource } from '../../../../workbench/release/release.ts';
import { FlasherPage } from '../../flasher-page.tsx';
import { useBatchWifi } from '../../store/batch-wifi.ts';
import { useFlash, useFlasher, useHasBoard } from '../../store/flasher-store.ts';
import { describeBoard } from './board/board-facts.ts';
import { CrashCard, type OpenedDump } from './board/crash-card.tsx';
import { espRemedies } from './failures/remedies.tsx';
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
      news={
        <div role="status">
          <CrashPlace />
        </div>
      }
      backup={<BackupPlace />}
      contents={
        <>
          <BatchWifiPlace />
          <OnBoardPlace />
          <CrashCard opened={opened} />
        </>
      }
      remedies={espRemedies}
      onOpenDump={(place) => void openDump(place)}
    />
  );
}

/** Fetches the offer of a backup with the first plan. */
const BackupPlace = loadedPlace(
  () => useFlash(({ plan }) => plan !== null),
  async () => (await import('./write/nvs-backup-offer.tsx')).NvsBackupOffer,
);

/** Fetches the line about a crash with the first board. */
const CrashPlace = loadedPlace(useHasBoard, async () => (await import('./board/crash-strip.tsx')).CrashStrip);

/** Fetches the Wi-Fi of a batch with the first batch. */
const BatchWifiPlace = loadedPlace(
  () => {
    const isOn = useFlasher(({ batchMode }) => batchMode);
    const hasOutcomes = useBatchWifi().size > 0;
    return isOn || hasOutcomes;
  },
  async () => (await import('./board/batch-wifi-card.tsx')).BatchWifiCard,
);

/** Fetches *On the board* with the first board. */
const OnBoardPlace = loadedPlace(useHasBoard, async () => (await loadOnBoard()).OnBoard);
