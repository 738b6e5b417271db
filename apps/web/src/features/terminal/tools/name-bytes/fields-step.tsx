/** Second step: bytes of a frame get names. All frames that the log holds follow each change. */
import type { PortNumber } from '@wirebench/serial';
import { useEffect, useEffectEvent, useState } from 'react';
import type { TriedDecoder, TriedFrame } from '../../../../protocol/bench/trial-part.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { FieldError } from '../../../../shared/ui/field-error.tsx';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import { ByteGrid } from './byte-grid.tsx';
import { type ByteRange, fieldNamed, newField, newPart, partAt, withField } from './decoder-draft.ts';
import { checksumText } from './field-words.ts';
import styles from './name-bytes-panel.module.css';
import { FieldMeaning } from './named-bytes.tsx';
import { SelectionRoles } from './selection-roles.tsx';
import { AppliedElsewhere, useApplied } from './use-applied.tsx';
import { changeWork, type DecoderWork, focusAsked, tryWork } from './work-store.ts';

/** Values of the selected field that are listed. */
const MAX_VALUES = 8;

/** Time from an answer to the next trial, in ms: frames go on to come. */
const rest = 1_000;

interface Tried {
  /** Null until the first answer. */
  readonly result: TriedDecoder | null;
  /** One sentence for each fault of the draft. The log stays as it was. */
  readonly faults: readonly string[];
}

/** Tries a draft again and again while it is shown. */
function useTried(port: PortNumber, work: DecoderWork): Tried {
  const [result, setResult] = useState<TriedDecoder | null>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const tryAgain = useEffectEvent(() => tryWork(port, work));
  const draft = JSON.stringify(work.draft);
  const example = work.example === null ? '' : `${work.example.at} ${work.example.bytes.join()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft and its example are what is tried.
  useEffect(() => {
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = async () => {
      try {
        const found = await tryAgain();
        if (isWanted) {
          setResult((before) => (found.faults.length === 0 ? found : before));
          setFaults(found.faults);
          timer = setTimeout(() => void begin(), rest);
        }
      } catch (error) {
        if (isWanted) {
          setFaults([error instanceof Error ? error.message : String(error)]);
        }
      }
    };
    void begin();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [port, draft, example]);
  return { result, faults };
}

export interface FieldsStepProps {
  readonly port: PortNumber;
  readonly work: DecoderWork;
}

export function FieldsStep({ port, work }: FieldsStepProps) {
  const { draft } = work;
  const { result, faults: tried } = useTried(port, work);
  const applied = useApplied(port, work);
  const faults = tried.length > 0 ? tried : applied;
  /** Name of the field whose form is shown; null: that of the selected bytes. */
  const [open, setOpen] = useState<string | null>(null);
  const frame = result === null ? null : (result.wanted ?? result.frames.at(-1) ?? null);
  const selected = frame === null ? null : selectionIn(work, frame);
  // In a line, parts between separators have names.
  const part = frame === null || selected === null ? null : partAt(draft, frame.content, selected);
  const range = part ?? selected;
  const select = (range: ByteRange | null) => {
    setOpen(null);
    changeWork(port, {
      selected: range === null ? null : { ...range, isOnWire: false },
      // The bytes under the selection stay while other frames come.
      ...(range !== null && frame !== null && work.example === null && { example: frame }),
    });
  };
  const change = (next: DecoderWork['draft'], name: string | null = open) => {
    setOpen(name);
    changeWork(port, { draft: next });
  };
  const name = open ?? (frame === null || range === null ? null : nameAt(frame, range));
  const message = frame?.message ?? '';
  const field = name === null ? null : fieldNamed(draft, message, name);
  return (
    <section className={styles['step']} aria-label="Names of bytes">
      <FrameHead
        result={result}
        frame={frame}
        isNewest={work.example === null}
        onShow={(example) => changeWork(port, { example })}
      />
      {frame === null ? (
        <p className="small">
          {result === null
            ? 'Looking at the frames…'
            : 'No frames have come on this port yet. They are shown as soon as they do.'}
        </p>
      ) : (
        <>
          <ByteGrid
            label="Bytes of the frame"
            onMount={focusAsked}
            bytes={frame.content}
            fields={frame.fields}
            selected={selected}
            onSelect={select}
          />
          {selected === null || range === null ? (
            <p className="small">Select bytes to say what they are.</p>
          ) : field !== null ? (
            <FieldMeaning
              key={range.from}
              draft={draft}
              message={message}
              field={field}
              frame={frame}
              range={range}
              onChange={(next, called) => change(next, called)}
            />
          ) : (
            <SelectionRoles
              port={port}
              draft={draft}
              frame={frame}
              frames={result?.frames ?? []}
              range={range}
              onChange={change}
              onValue={() => {
                const added = part === null ? newField(draft, range) : newPart(draft, part, frame.content);
                change(withField(draft, message, added), added.name);
              }}
            />
          )}
          {name === null || field === null ? null : <Values name={name} frames={result?.frames ?? []} />}
        </>
      )}
      <div role="alert">{faults[0] === undefined ? null : <FieldError>{faults[0]}</FieldError>}</div>
      <AppliedElsewhere port={port} work={work} />
      <FieldList
        draft={draft}
        frame={frame}
        onSelect={(chosen) => {
          setOpen(chosen.name);
          changeWork(port, {
            selected: { from: chosen.from, to: chosen.to, isOnWire: false },
            ...(frame !== null && work.example === null && { example: frame }),
          });
        }}
        onRemoveChecksum={() => {
          const { checksum: _, ...unchecked } = draft;
          change(unchecked);
        }}
      />
    </section>
  );
}

/** Returns the selected bytes of the content. */
function selectionIn({ selected }: DecoderWork, { content, offsets }: TriedFrame): ByteRange | null {
  if (selected === null) {
    return null;
  }
  const inContent = (offset: number) => {
    const found = offsets.findIndex((wire) => wire >= offset);
    return found === -1 ? content.length : found;
  };
  const from = selected.isOnWire ? inContent(selected.from) : selected.from;
  const to = selected.isOnWire ? Math.max(from + 1, inContent(selected.to)) : selected.to;
  return from < content.length ? { from, to: Math.min(to, content.length) } : null;
}

/** Returns the name of the field that has exactly these bytes. */
function nameAt({ fields }: TriedFrame, { from, to }: ByteRange): string | null {
  return fields.find((field) => field.from === from && field.to === to)?.name ?? null;
}

interface FrameHeadProps {
  readonly result: TriedDecoder | null;
  readonly frame: TriedFrame | null;
  readonly isNewest: boolean;
  readonly onShow: (frame: TriedFrame | null) => void;
}

/** Counts of all frames, and the one whose bytes are shown. */
function FrameHead({ result, frame, isNewest, onShow }: FrameHeadProps) {
  if (result?.counts == null || frame === null) {
    return null;
  }
  const { counts, frames } = result;
  const place = frames.findIndex(({ at, bytes }) => at === frame.at && bytes.join() === frame.bytes.join());
  const older = frames[place - 1];
  // A frame that is older than all that are listed has the first of them behind it.
  const newer = frames[place + 1];
  return (
    <div className={styles['head']}>
      <span className={styles['totals']}>
        {counted(counts.frames, 'frame')}
        {counts.broken === 0 ? '' : `, ${counts.broken} broken`},{' '}
        {counts.leftOvers === 0 ? 'no left-overs' : counted(counts.leftOvers, 'left-over')}
      </span>
      <span className="buttons tight">
        <span className={styles['time']}>
          {clockTime(frame.at)} {frame.direction === 'sent' ? 'sent' : ''}
          {frame.isBroken ? ' broken, no values' : ''}
        </span>
        <Button size="sm" variant="quiet" disabled={older === undefined} onClick={() => onShow(older ?? null)}>
          Older
        </Button>
        <Button size="sm" variant="quiet" disabled={newer === undefined} onClick={() => onShow(newer ?? null)}>
          Newer
        </Button>
        <Button size="sm" variant="quiet" pressed={isNewest} onClick={() => onShow(isNewest ? frame : null)}>
          Newest
        </Button>
      </span>
    </div>
  );
}

interface ValuesProps {
  readonly name: string;
  readonly frames: readonly TriedFrame[];
}

/** Values of one field in the newest frames that have it. */
function Values({ name, frames }: ValuesProps) {
  const values = frames
    .flatMap(({ at, fields }) => {
      const found = fields.find((field) => field.name === name);
      return found === undefined ? [] : [{ at, text: found.text }];
    })
    .slice(-MAX_VALUES)
    .reverse();
  return (
    <table className={styles['values']} aria-label={`Newest values of ${name}`}>
      <tbody>
        {values.map(({ at, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two frames may have one time.
          <tr key={index}>
            <th scope="row">{clockTime(at)}</th>
            <td>{text === '' ? '–' : text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FieldListProps {
  readonly draft: DecoderWork['draft'];
  readonly frame: TriedFrame | null;
  readonly onSelect: (field: TriedFrame['fields'][number]) => void;
  readonly onRemoveChecksum: () => void;
}

/** Fields of the shown frame with their values, and the checksum. */
function FieldList({ draft, frame, onSelect, onRemoveChecksum }: FieldListProps) {
  const { checksum } = draft;
  const fields = frame?.fields ?? [];
  if (fields.length === 0 && checksum === undefined) {
    return null;
  }
  return (
    <table className={styles['fields']} aria-label="Fields of the frame">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Bytes</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={`${field.name} ${field.from}`}>
            <th scope="row">
              <button type="button" className={styles['name']} onClick={() => onSelect(field)}>
                {field.name}
              </button>
            </th>
            <td>{field.place !== '' ? field.place : bytesText(field)}</td>
            <td>{field.text === '' ? '–' : field.text}</td>
          </tr>
        ))}
        {checksum === undefined ? null : (
          <tr>
            <th scope="row">Checksum</th>
            <td colSpan={2}>
              {checksumText(checksum)}{' '}
              <Button size="sm" variant="quiet" onClick={onRemoveChecksum}>
                Remove
              </Button>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** `4`, `4 to 7`. */
function bytesText({ from, to }: ByteRange): string {
  return to - from <= 1 ? String(from) : `${from} to ${to - 1}`;
}
