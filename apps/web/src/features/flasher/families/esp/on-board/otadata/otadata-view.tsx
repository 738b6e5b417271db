/** The apps that the bootloader can start: the one that starts now, and a way to start another one. */
import {
  bootOrder,
  chipFacts,
  chooseOtaSlot,
  isApp,
  type OtaEntries,
  type OtaEntry,
  otaSlotOf,
  otaSlotOfSequence,
  type Partition,
  readOtaEntries,
} from '@wirebench/flasher/esp';
import { imageFaultText } from '@wirebench/flasher/images';
import { Check, Play } from 'lucide-react';
import { useState } from 'react';
import { appTitle } from '../../../../../../protocol/app-title.ts';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import { addressText } from '../../../../../../shared/format/hex.ts';
import { Badge } from '../../../../../../shared/ui/badge.tsx';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { classNames } from '../../../../../../shared/ui/class-names.ts';
import { Notice } from '../../../../../../shared/ui/notice.tsx';
import { useCanRead } from '../../../../board/use-can-read.ts';
import type { PlannedChange } from '../../../../store/board-changes.ts';
import { useFlash } from '../../../../store/flasher-store.ts';
import boardStyles from '../on-board.module.css';
import type { PartitionViewProps } from '../partition-view.ts';
import { readImage, type StoredImage } from '../stored-images.ts';
import styles from './otadata.module.css';

/** Plans that another app starts, and says why none would start from a slot. */

const SECTOR = 4_096;

/** The chosen slot: an OTA slot, counted from 0, or the factory app. */
interface OtaDraft {
  readonly slot: number | 'factory';
}

interface SlotChoice {
  /** Partition with the OTA data. */
  readonly partition: Partition;
  readonly contents: Uint8Array;
  readonly md5: string;
  /** App partition to start, and its app for the title. */
  readonly slot: Partition;
  readonly app: string | null;
  /** Number of OTA slots of the table. */
  readonly slots: number;
  /** Name of the partition that starts now. */
  readonly before: string;
}

/** Returns the change after which the bootloader starts the slot. */
export function planSlot({ partition, contents, md5, slot, app, slots, before }: SlotChoice): PlannedChange<OtaDraft> {
  const { name, offset, size } = partition;
  const number = otaSlotOf(slot);
  const common = {
    what: 'the slot to start',
    title: `Start ${slot.name}${app === null ? '' : `: ${app}`}`,
    count: 1,
    note: 'All programs stay on the board',
  };
  const range = { offset, length: size };
  if (number === null) {
    // The entry that counts is erased last, so that a power cut leaves the choice from before.
    const first = chooseOtaSlot(readOtaEntries(contents), 0, slots).sector.offset;
    const order = [first, first === 0 ? SECTOR : 0];
    return {
      ...common,
      change: {
        name,
        range,
        basis: md5,
        erases: order.map((at) => ({ offset: offset + at, length: SECTOR })),
        writes: [],
      },
      entries: [`starts ${before} → ${slot.name}`],
      draft: { slot: 'factory' },
    };
  }
  const choice = chooseOtaSlot(readOtaEntries(contents), number, slots);
  return {
    ...common,
    change: {
      name,
      range,
      basis: md5,
      erases: choice.erase === null ? [] : [{ ...choice.erase, offset: offset + choice.erase.offset }],
      writes: [{ offset: offset + choice.sector.offset, bytes: choice.sector.bytes }],
    },
    entries: [`starts ${before} → ${slot.name}`, `sequence ${choice.before ?? 'none'} → ${choice.sequence}`],
    draft: { slot: number },
  };
}

/** Returns the reason why no app would start from a slot; null if its image is intact. */
export function slotFault(check: StoredImage, { name }: Partition, { info }: EspFacts): string | null {
  if (check === 'none') {
    return `${name} holds no app.`;
  }
  const [fault] = check.faults;
  if (fault !== undefined) {
    return `The app in ${name} would not start. ${imageFaultText[fault].what}`;
  }
  const { chip } = check.image;
  if (chip !== info.chip) {
    return `The app in ${name} was built for ${chip === null ? 'another chip' : chipFacts[chip].label}.`;
  }
  return null;
}

export function OtadataView(props: PartitionViewProps<OtaDraft>) {
  const board = useFlash((flash) => flash.board);
  return board?.family === 'esp' ? <Slots {...props} board={board} /> : null;
}

interface SlotsProps extends PartitionViewProps<OtaDraft> {
  readonly board: EspFacts;
}

function Slots({ port, partition, contents, md5, draft, locked, onChange, board }: SlotsProps) {
  const canRead = useCanRead();
  const [fault, setFault] = useState<string | null>(null);
  const apps = (board.table?.partitions ?? []).filter(isApp);
  const slots = apps.filter((app) => otaSlotOf(app) !== null);
  const startable = apps.filter((app) => otaSlotOf(app) !== null || app.subtype === 0);
  const entries = readOtaEntries(contents);
  const now = startsNow(board, entries, startable);
  const isPlanned = (app: Partition) => draft !== null && draft.slot === (otaSlotOf(app) ?? 'factory');
  const start = async (app: Partition) => {
    setFault(null);
    const check = await readImage(port, app);
    if (check === null) {
      return;
    }
    const found = slotFault(check, app, board);
    setFault(found);
    if (found === null) {
      onChange(
        planSlot({
          partition,
          contents,
          md5,
          slot: app,
          app: check === 'none' || check.app === null ? null : appTitle(check.app),
          slots: slots.length,
          before: now?.name ?? 'nothing',
        }),
      );
    }
  };
  if (startable.length === 0) {
    return <p className={boardStyles['said']}>The partition table has no app that OTA data could select.</p>;
  }
  return (
    <div className={`stack apart ${boardStyles['body']}`}>
      <p>{copiesText(entries)}</p>
      <div className={styles['slots']}>
        {startable.map((app) => (
          <SlotCard
            key={`${app.name} ${app.offset}`}
            app={app}
            board={board}
            entry={entryOf(entries, otaSlotOf(app), slots.length)}
            isNow={app === now}
            isPlanned={isPlanned(app)}
            isKept={draft === null}
            disabled={locked || !canRead}
            onStart={() => (app === now ? onChange(null) : void start(app))}
          />
        ))}
      </div>
      <div role="status">
        {fault === null ? null : (
          <Notice level="error" title={fault}>
            Write a complete app to that slot first.
          </Notice>
        )}
      </div>
      <Notice level="info">
        If the other program does not come up, it goes back by itself only if it was built with rollback
        (CONFIG_BOOTLOADER_APP_ROLLBACK_ENABLE). Otherwise connect the board here and choose this slot again.
      </Notice>
    </div>
  );
}

interface SlotCardProps {
  readonly app: Partition;
  readonly board: EspFacts;
  readonly entry: OtaEntry | null;
  readonly isNow: boolean;
  readonly isPlanned: boolean;
  /** True: no other slot is planned. */
  readonly isKept: boolean;
  readonly disabled: boolean;
  readonly onStart: () => void;
}

function SlotCard({ app, board, entry, isNow, isPlanned, isKept, disabled, onStart }: SlotCardProps) {
  const described = board.heads?.find(({ offset }) => offset === app.offset)?.described ?? null;
  const own = described !== null && 'project' in described ? described : null;
  return (
    <section className={classNames(styles['slot'], isPlanned && styles['planned'])} aria-label={app.name}>
      <div className={`buttons ${styles['place']}`}>
        <span>
          {app.name} · {addressText(app.offset)}
        </span>
        {isNow ? <Badge tone="success">Starts now</Badge> : isPlanned ? <Badge tone="info">Will start</Badge> : null}
      </div>
      <h4 className={boardStyles['title']}>{own === null ? 'No app is described here' : appTitle(own)}</h4>
      {own === null ? null : (
        <p>
          Built {own.date}, ESP-IDF {own.idfVersion}
        </p>
      )}
      <p>{entry === null ? 'Not named by the OTA data' : `Sequence ${entry.sequence}, ${stateTexts[entry.state]}`}</p>
      {isNow && isKept ? null : (
        <div>
          <Button
            variant={isPlanned ? 'default' : undefined}
            icon={isPlanned ? <Check /> : <Play />}
            pressed={isPlanned}
            disabled={disabled}
            onClick={onStart}
          >
            {isNow ? 'Keep this slot' : slotLabel(app)}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Returns the app that the bootloader starts next: the first in its order that holds an image, as far as that was read. */
function startsNow({ table, heads = [] }: EspFacts, entries: OtaEntries, startable: readonly Partition[]) {
  const order = bootOrder({ partitions: table?.partitions ?? [], entries });
  const isEmpty = ({ offset }: Partition) => heads.some((head) => head.offset === offset && head.empty === true);
  return order.find((app) => startable.includes(app) && !isEmpty(app)) ?? null;
}

const slotLabel = (app: Partition) => (otaSlotOf(app) === null ? 'Start the factory app' : 'Start the other slot');

const stateTexts = {
  new: 'new: not started yet',
  pending: 'started once, not confirmed: not started again',
  valid: 'marked valid',
  invalid: 'marked invalid: not started',
  aborted: 'aborted: not started',
  undefined: 'without rollback',
  unknown: 'in an unknown state',
} satisfies Record<OtaEntry['state'], string>;

/** Returns the newest entry that stands for a slot. */
function entryOf(entries: readonly (OtaEntry | null)[], slot: number | null, slots: number): OtaEntry | null {
  const own = entries.filter(
    (entry): entry is OtaEntry =>
      entry?.isCrcValid === true && slot !== null && slots > 0 && otaSlotOfSequence(entry.sequence, slots) === slot,
  );
  return own.toSorted((one, other) => other.sequence - one.sequence)[0] ?? null;
}

function copiesText(entries: readonly (OtaEntry | null)[]): string {
  const [first, second] = entries;
  const texts = [first, second].map((entry) =>
    entry === null || entry === undefined ? 'empty' : entry.isCrcValid ? `sequence ${entry.sequence}` : 'damaged',
  );
  return first === null && second === null
    ? 'Both copies are empty: the factory app starts, or the first slot if there is none.'
    : `Two copies: ${texts.join(' and ')}. Of those that may start, the one with the higher number counts.`;
}
