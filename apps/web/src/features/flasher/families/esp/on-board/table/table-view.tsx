/** The partition table: as it is in flash, and as it is edited. CSV goes in and out in the format of ESP-IDF. */
import {
  chipFacts,
  formatPartitionCsv,
  type Partition,
  PartitionCsvError,
  parsePartitionCsv,
  partitionLosses,
  readPartitionTable,
  subtypesOf,
  typeNumber,
} from '@wirebench/flasher/esp';
import { ImageError } from '@wirebench/flasher/images';
import type { PortNumber } from '@wirebench/serial';
import { Download, FileUp, Plus, Trash2, Undo2 } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import { saveFile } from '../../../../../../shared/files/save-file.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../../../../shared/ui/notice.tsx';
import { TextInput } from '../../../../../../shared/ui/text-input.tsx';
import { toast } from '../../../../../../shared/ui/toast.ts';
import { useFlash } from '../../../../store/flasher-store.ts';
import type { PartitionViewProps } from '../partition-view.ts';
import styles from './table.module.css';
import {
  emptyRow,
  lossText,
  planTable,
  readRows,
  rowsOf,
  type TableDraft,
  type TableRow,
  tableFields,
} from './table-plan.ts';

/** Edits that cannot be written yet, kept while another view is open. */
const unfinished = new Map<PortNumber, { readonly md5: string; readonly rows: readonly TableRow[] }>();

const fieldNames = {
  name: 'Name',
  type: 'Type',
  subtype: 'Subtype',
  offset: 'Offset',
  size: 'Size',
  flags: 'Flags',
} satisfies Record<(typeof tableFields)[number], string>;

export function TableView({ port, partition, contents, md5, draft, locked, onChange }: PartitionViewProps<TableDraft>) {
  const size = useFlash(({ board }) => board?.flash.size ?? null);
  const bootloaderOffset = useFlash(({ board }) =>
    board?.family === 'esp' ? chipFacts[board.info.chip].bootloaderOffset : null,
  );
  const before = useMemo(() => partitionsIn(contents), [contents]);
  const file = useRef<HTMLInputElement>(null);
  const lists = useId();
  const kept = unfinished.get(port);
  const [rows, setRows] = useState<readonly TableRow[]>(
    () => draft?.rows ?? (kept?.md5 === md5 ? kept.rows : rowsOf(before ?? [])),
  );
  const [seen, setSeen] = useState(draft);
  // *Undo* beside the plan removes the draft.
  if (seen !== draft) {
    setSeen(draft);
    if (draft === null && seen !== null && !unfinished.has(port)) {
      setRows(rowsOf(before ?? []));
    }
  }
  const read = readRows(rows, partition.offset, size, bootloaderOffset);
  const losses =
    read.partitions === null ? [] : partitionLosses({ partitions: before ?? [] }, { partitions: read.partitions });
  const edit = (next: readonly TableRow[]) => {
    setRows(next);
    const found = readRows(next, partition.offset, size, bootloaderOffset);
    if (found.partitions === null || found.faults.length > 0) {
      unfinished.set(port, { md5, rows: next });
      onChange(null);
      return;
    }
    unfinished.delete(port);
    const range = { offset: partition.offset, length: contents.length };
    onChange(planTable({ name: partition.name, range, contents, md5, before: before ?? [] }, next, found.partitions));
  };
  const replace = (index: number, row: TableRow) => edit(rows.map((one, at) => (at === index ? row : one)));
  const isChanged = JSON.stringify(rows) !== JSON.stringify(rowsOf(before ?? []));
  return (
    <div className={`stack apart ${styles['view']}`}>
      {before === null ? <p>No partition table is stored here.</p> : null}
      <div className={styles['tools']}>
        <Button size="sm" icon={<Plus />} disabled={locked} onClick={() => edit([...rows, emptyRow])}>
          Add a partition
        </Button>
        <Button size="sm" variant="quiet" icon={<FileUp />} disabled={locked} onClick={() => file.current?.click()}>
          Open a CSV…
        </Button>
        <Button
          size="sm"
          variant="quiet"
          icon={<Download />}
          disabled={read.partitions === null}
          onClick={() => saveCsv(read.partitions ?? [])}
        >
          Save as CSV
        </Button>
        {isChanged ? (
          <Button
            size="sm"
            variant="quiet"
            icon={<Undo2 />}
            disabled={locked}
            onClick={() => edit(rowsOf(before ?? []))}
          >
            Undo all edits
          </Button>
        ) : null}
        <input
          ref={file}
          type="file"
          accept=".csv,text/csv,text/plain"
          hidden
          aria-label="Partition table as CSV"
          onChange={({ currentTarget }) => {
            const [given] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (given !== undefined) {
              void openCsv(given, { tableOffset: partition.offset, bootloaderOffset }, edit);
            }
          }}
        />
      </div>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              {tableFields.map((field) => (
                <th key={field} scope="col">
                  {fieldNames[field]}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity while its name is typed.
              <tr key={index}>
                {tableFields.map((field) => (
                  <td key={field} data-field={field}>
                    <TextInput
                      mono
                      aria-label={`${fieldNames[field]} of ${row.name || `row ${index + 1}`}`}
                      aria-invalid={read.faultyRow === index || undefined}
                      value={row[field]}
                      readOnly={locked}
                      autoComplete="off"
                      spellCheck={false}
                      placeholder={field === 'offset' ? 'automatic' : undefined}
                      list={field === 'type' ? `${lists}-types` : field === 'subtype' ? listOf(lists, row) : undefined}
                      onChange={({ currentTarget }) => replace(index, { ...row, [field]: currentTarget.value })}
                    />
                  </td>
                ))}
                <td>
                  <IconButton
                    label={`Delete ${row.name || `row ${index + 1}`}`}
                    size="sm"
                    variant="quiet"
                    icon={<Trash2 />}
                    disabled={locked}
                    onClick={() => edit(rows.filter((_, at) => at !== index))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <datalist id={`${lists}-types`}>
        <option value="app" />
        <option value="data" />
      </datalist>
      {[0, 1].map((type) => (
        <datalist key={type} id={`${lists}-${type}`}>
          {subtypesOf(type).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      ))}
      <div role="status">
        {isChanged && read.faults.length > 0 ? (
          <Notice level="error" title="This table cannot be written yet.">
            {read.faults.join(' ')}
          </Notice>
        ) : null}
        {isChanged && read.faults.length === 0 && losses.length > 0 ? (
          <Notice level="warning" title="Partitions that change:">
            <ul className={styles['losses']}>
              {losses.map((loss) => (
                <li key={loss.partition.name}>{lossText(loss)}</li>
              ))}
            </ul>
          </Notice>
        ) : null}
      </div>
      <p className="small">
        Sizes and offsets take 0x1000, 4096, 4K or 1M. An empty offset follows the partition before, apps at multiples
        of 64 KB. Only the table is written: no data is moved.
      </p>
    </div>
  );
}

const listOf = (lists: string, { type }: TableRow) => `${lists}-${typeNumber(type) ?? 'none'}`;

function saveCsv(partitions: readonly Partition[]): void {
  saveFile(new Blob([formatPartitionCsv(partitions)], { type: 'text/csv' }), 'partitions.csv');
}

async function openCsv(
  file: File,
  { tableOffset, bootloaderOffset }: { readonly tableOffset: number; readonly bootloaderOffset: number | null },
  edit: (rows: readonly TableRow[]) => void,
): Promise<void> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    edit(rowsOf(parsePartitionCsv(bytes, tableOffset, { bootloaderOffset, ignoresFields: bootloaderOffset !== null })));
  } catch (error) {
    const why = error instanceof PartitionCsvError ? `Line ${error.line}: ${error.message}` : 'It could not be read.';
    toast(`“${file.name}” is no partition table. ${why}`, { level: 'error' });
  }
}

function partitionsIn(contents: Uint8Array): readonly Partition[] | null {
  try {
    return readPartitionTable(contents).partitions;
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}
