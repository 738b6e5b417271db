/** An app or a bootloader in flash: name, version, build, and the checks of its image. */
import { chipFacts, isApp } from '@wirebench/flasher/esp';
import { imageFaultText } from '@wirebench/flasher/images';
import { FileCheck2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { appTitle } from '../../../../../../protocol/app-title.ts';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import { counted } from '../../../../../../shared/format/numbers.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { useCanRead } from '../../../../board/use-can-read.ts';
import { useBoardContents } from '../../../../store/board-contents.ts';
import { useFlash } from '../../../../store/flasher-store.ts';
import { FactList } from '../fact-list.tsx';
import styles from '../on-board.module.css';
import type { PartitionViewProps } from '../partition-view.ts';
import { checkOf, readImage, type StoredImage } from '../stored-images.ts';

export function AppView({ port, partition }: PartitionViewProps<never>) {
  const board = useFlash((flash) => flash.board);
  const canRead = useCanRead();
  const bytes = useBoardContents(port).images.get(partition.offset)?.bytes ?? null;
  const check = useCheck(bytes);
  const heads = board?.family === 'esp' ? (board.heads ?? []) : [];
  const head = heads.find(({ offset }) => offset === partition.offset);
  const found = check === null || check === 'none' ? null : check;
  const described = head?.described ?? found?.app ?? null;
  const app = described !== null && 'project' in described ? described : null;
  const what = isApp(partition) ? 'app' : 'bootloader';
  const title =
    app === null ? (described === null ? `An ${what} without a description` : 'Bootloader of ESP-IDF') : appTitle(app);
  if (head?.empty === true || check === 'none') {
    return <p className={styles['said']}>{head?.empty === true ? 'Empty.' : `No ${what} begins here.`}</p>;
  }
  const built =
    described === null ? '' : 'built' in described ? described.built : `${described.date} ${described.time}`;
  return (
    <div className={`stack apart ${styles['body']}`}>
      <h4 className={styles['title']}>{what === 'bootloader' && described === null ? 'Bootloader' : title}</h4>
      <FactList
        facts={[
          ['For', found === null ? null : chipText(found)],
          [
            'Built',
            [built.trim(), described === null ? '' : `ESP-IDF ${described.idfVersion}`]
              .filter(Boolean)
              .join(' with ') || null,
          ],
          [
            'Size',
            found === null
              ? null
              : `${sizeText(found.image.size)} of ${sizeText(partition.size)}, ${counted(found.image.segments.length, 'segment')}`,
          ],
          ['Checked', found === null ? 'Not read' : checksText(found)],
          ['Signed', found === null ? null : found.image.isSigned ? 'Yes; the signature was not checked' : 'No'],
          ['ELF', app?.elfHash ? `SHA-256 ${hexText(app.elfHash)}` : null],
        ]}
      />
      {found === null ? (
        <div>
          <Button icon={<FileCheck2 />} disabled={!canRead} onClick={() => void readImage(port, partition)}>
            Check the image
          </Button>
          <p className="small">Reads the image from the board, and checks its checksum and SHA-256.</p>
        </div>
      ) : null}
    </div>
  );
}

/** Returns the check of an image; null until it is done, or if the image was not read. */
function useCheck(bytes: Uint8Array | null): StoredImage | null {
  const [checked, setChecked] = useState<{ readonly bytes: Uint8Array; readonly check: StoredImage } | null>(null);
  useEffect(() => {
    let wanted = true;
    if (bytes !== null) {
      void checkOf(bytes).then((check) => {
        if (wanted) {
          setChecked({ bytes, check });
        }
      });
    }
    return () => {
      wanted = false;
    };
  }, [bytes]);
  return bytes !== null && checked?.bytes === bytes ? checked.check : null;
}

function chipText({ image }: Exclude<StoredImage, 'none'>): string {
  const { chip, revisions } = image;
  const name = chip === null ? `an unknown chip (id ${image.chipId})` : chipFacts[chip].label;
  const revision = (value: number) => `v${Math.floor(value / 100)}.${value % 100}`;
  if (revisions === null || (revisions.minimum === 0 && revisions.maximum === null)) {
    return name;
  }
  return revisions.maximum === null
    ? `${name}, revision ${revision(revisions.minimum)} or newer`
    : `${name}, revision ${revision(revisions.minimum)} to ${revision(revisions.maximum)}`;
}

function checksText({ image, faults }: Exclude<StoredImage, 'none'>): string {
  if (faults.length > 0) {
    return faults.map((fault) => imageFaultText[fault].what).join(' ');
  }
  return image.hasHash ? 'Checksum and SHA-256 match' : 'Checksum matches; the image has no SHA-256';
}

const hexText = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
