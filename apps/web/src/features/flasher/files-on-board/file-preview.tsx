/** Contents of the selected file: text that is edited in place, a picture, or bytes. */
import type { EditedEntry, FileChange } from '@wirebench/flasher/file-systems';
import { Download, PencilLine, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { FileContent } from '../../../protocol/file-system-protocol.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { hexBytes, hexDigits } from '../../../shared/format/hex.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import {
  changedLines,
  decodeText,
  encodeText,
  type FilePreview,
  pictureName,
  previewLimit,
  previewOf,
  shownBytes,
} from './file-contents.ts';
import { nameOf } from './file-rows.ts';
import type { FilesSession } from './files-session.ts';
import styles from './files-view.module.css';

interface FilePaneProps {
  readonly session: FilesSession;
  readonly entry: EditedEntry;
  /** False: nothing can be changed. */
  readonly canEdit: boolean;
  /** Changes when the file has to be read again. */
  readonly revision: number;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

export function FilePane({ session, entry, canEdit, revision, onRename, onRemove }: FilePaneProps) {
  const { path, kind, change } = entry;
  const name = nameOf(path);
  const isRemoved = change === 'removed';
  return (
    <section className={styles['pane']} aria-label={path}>
      <div className={styles['paneHead']}>
        <span className={`ellipsis ${styles['path']}`}>{path}</span>
        {change === null ? null : <span className={`ellipsis ${styles['diff']}`}>{changeText(entry)}</span>}
        <span className={styles['end']}>
          {change !== null && canEdit ? (
            <Button
              size="sm"
              variant="quiet"
              icon={<Undo2 />}
              onClick={() => void session.edit([{ kind: 'restore', path }])}
            >
              Undo
            </Button>
          ) : null}
          {canEdit && !isRemoved ? (
            <IconButton size="sm" variant="quiet" icon={<PencilLine />} label={`Rename ${name}`} onClick={onRename} />
          ) : null}
          {kind === 'file' && !isRemoved ? (
            <IconButton
              size="sm"
              variant="quiet"
              icon={<Download />}
              label={`Save ${name} to this computer`}
              onClick={() => session.save(path)}
            />
          ) : null}
          {canEdit && !isRemoved ? (
            <IconButton size="sm" variant="quiet" icon={<Trash2 />} label={`Delete ${name}`} onClick={onRemove} />
          ) : null}
        </span>
      </div>
      {kind === 'folder' ? (
        <p className={styles['hint']}>
          {isRemoved
            ? `This folder is deleted with the next write, with ${counted(entry.files, 'file')} in it.`
            : `Folder with ${counted(entry.files, 'file')}.${canEdit ? ' Uploads and new files go into it.' : ''}`}
        </p>
      ) : (
        <Contents key={`${path} ${revision}`} session={session} entry={entry} canEdit={canEdit && !isRemoved} />
      )}
    </section>
  );
}

function changeText({ change, was }: EditedEntry): string {
  switch (change) {
    case 'added':
      return 'new';
    case 'renamed':
      return `was ${was}`;
    case 'removed':
      return 'deleted';
    case 'changed':
    case null:
      return 'changed';
  }
}

type Loaded =
  | { readonly content: FileContent; readonly preview: FilePreview }
  /** Sentence with the remedy. */
  | { readonly failure: string };

interface ContentsProps {
  readonly session: FilesSession;
  readonly entry: EditedEntry;
  readonly canEdit: boolean;
}

function Contents({ session, entry, canEdit }: ContentsProps) {
  const { path } = entry;
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    let isWanted = true;
    session.read(path, previewLimit).then(
      (content) => isWanted && setLoaded({ content, preview: previewOf(content.bytes, content.size) }),
      (error: unknown) => isWanted && setLoaded({ failure: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [session, path]);
  if (loaded === null) {
    return <p className={styles['hint']}>Reading…</p>;
  }
  if ('failure' in loaded) {
    return (
      <p className={styles['hint']} role="alert">
        {loaded.failure}
      </p>
    );
  }
  const { content, preview } = loaded;
  switch (preview.kind) {
    case 'text':
      return <Text session={session} entry={entry} content={content} preview={preview} canEdit={canEdit} />;
    case 'picture':
      return <Picture name={nameOf(path)} content={content} type={preview.type} />;
    case 'bytes':
      return <Bytes content={content} />;
  }
}

interface TextProps {
  readonly session: FilesSession;
  readonly entry: EditedEntry;
  readonly content: FileContent;
  readonly preview: Extract<FilePreview, { readonly kind: 'text' }>;
  readonly canEdit: boolean;
}

interface TextEditorProps {
  readonly label: string;
  /** Text at the start. */
  readonly text: string;
  /** Text on the board; null marks no lines. */
  readonly before: string | null;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** Text that is edited in place, with numbered lines. Lines that differ from the board are marked. */
function TextEditor({ label, text: start, before, readOnly, onChange }: TextEditorProps) {
  const [text, setText] = useState(start);
  const lines = useMemo(() => text.split('\n'), [text]);
  const changed = useMemo(
    () => (before === null || before === text ? new Set<number>() : changedLines(before, text)),
    [before, text],
  );
  const longest = useMemo(() => lines.reduce((length, line) => Math.max(length, columnsOf(line)), 0), [lines]);
  return (
    <div className={styles['editor']}>
      <div className={styles['lines']}>
        <div className={styles['numbers']} aria-hidden="true">
          {lines.map((_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
            <span key={line} className={classNames(changed.has(line) && styles['changed'])}>
              {line + 1}
            </span>
          ))}
        </div>
        <textarea
          className={`ring-inside ${styles['text']}`}
          aria-label={label}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          readOnly={readOnly}
          rows={lines.length}
          cols={longest + 2}
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            onChange(value);
          }}
        />
      </div>
    </div>
  );
}

/** Width of a tab in columns, as browsers show it. */
const tabWidth = 8;

/** Returns the columns that a line takes at most: letters outside of Latin, Greek and Cyrillic may take two. */
function columnsOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    columns += character === '\t' ? tabWidth : character > '\u0fff' ? 2 : 1;
  }
  return columns;
}

function Text({ session, entry: { path, change }, content, preview: { text, lineEnd }, canEdit }: TextProps) {
  const [typed, setTyped] = useState(text);
  const [before, setBefore] = useState(() => textBefore(content, change, text));
  const wasChanged = useRef(change !== null);
  const settle = useEffectEvent(() => setBefore(typed));
  useEffect(() => {
    if (change === null && wasChanged.current) {
      // The board holds the text now.
      settle();
    }
    wasChanged.current = change !== null;
  }, [change]);
  const isSame = before === null || typed === before;
  const changed = isSame ? 0 : changedLines(before, typed).size;
  return (
    <>
      <TextEditor
        label={`Text of ${path}`}
        text={text}
        before={before}
        readOnly={!canEdit}
        onChange={(next) => {
          setTyped(next);
          session.type(path, encodeText(next, lineEnd));
        }}
      />
      <div className={styles['paneFoot']}>
        <span>
          {counted(typed.split('\n').length, 'line')}, {sizeText(encodeText(typed, lineEnd).length)}
          {lineEnd === '\n' ? '' : ', CR LF'}
        </span>
        {isSame ? null : (
          <span className={`ellipsis ${styles['diff']}`}>
            {changed === 0 ? 'lines removed' : `${counted(changed, 'line')} changed`}
          </span>
        )}
      </div>
    </>
  );
}

/** Returns the text on the board; null for a file that is not there as a text. */
function textBefore({ before }: FileContent, change: FileChange | null, text: string): string | null {
  if (change === null || before === null) {
    // An unchanged file is not sent twice.
    return change === null ? text : null;
  }
  return decodeText(before)?.replaceAll('\r\n', '\n') ?? null;
}

interface PictureProps {
  readonly name: string;
  readonly content: FileContent;
  readonly type: Extract<FilePreview, { readonly kind: 'picture' }>['type'];
}

function Picture({ name, content: { bytes, size }, type }: PictureProps) {
  const [shape, setShape] = useState<{ readonly width: number; readonly height: number } | null>(null);
  const [isBroken, setBroken] = useState(false);
  const [source] = useState(() => dataAddress(bytes, type));
  if (isBroken) {
    return <Bytes content={{ bytes, size, before: null }} />;
  }
  return (
    <>
      <div className={styles['picture']}>
        <img
          src={source}
          alt={`Preview of ${name}`}
          onError={() => setBroken(true)}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setShape({ width, height })}
        />
      </div>
      <div className={styles['paneFoot']}>
        <span>
          {shape === null ? '' : `${shape.width} × ${shape.height}, `}
          {pictureName(type)}, {sizeText(size)}
        </span>
      </div>
    </>
  );
}

/** The page's policy for content allows pictures from data addresses, not from object addresses. */
function dataAddress(bytes: Uint8Array, type: string): string {
  const step = 8_192;
  let text = '';
  for (let at = 0; at < bytes.length; at += step) {
    text += String.fromCharCode(...bytes.subarray(at, at + step));
  }
  return `data:${type};base64,${btoa(text)}`;
}

const bytesInRow = 16;

function Bytes({ content: { bytes, size } }: { readonly content: FileContent }) {
  const shown = bytes.subarray(0, shownBytes);
  const rows = Array.from({ length: Math.ceil(shown.length / bytesInRow) }, (_, row) => {
    const part = shown.subarray(row * bytesInRow, (row + 1) * bytesInRow);
    const ascii = Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    return `${hexDigits(row * bytesInRow, 6)}  ${hexBytes(part).padEnd(bytesInRow * 3 - 1)}  ${ascii}`;
  });
  return (
    <>
      {size === 0 ? (
        <p className={styles['hint']}>The file is empty.</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a region that scrolls, not a fieldset.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
        <div className={`ring-inside ${styles['bytes']}`} role="group" aria-label="Bytes of the file" tabIndex={0}>
          <pre>{rows.join('\n')}</pre>
        </div>
      )}
      <div className={styles['paneFoot']}>
        <span>
          {size > shown.length
            ? `The first ${sizeText(shown.length)} of ${sizeText(size)}. Save the file to see all of it.`
            : counted(size, 'byte')}
        </span>
      </div>
    </>
  );
}
