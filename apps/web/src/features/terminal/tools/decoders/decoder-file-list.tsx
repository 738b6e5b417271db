/** Files that a decoder names: those that this browser has, those that it misses, and a way to add one. */
import { builtInFiles } from '@wirebench/frames/built-in-files';
import { FilePlus2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { sizeText } from '../../../../shared/format/bytes.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../../shared/ui/notice.tsx';
import { offerUndo } from '../../../../shared/ui/offer-undo.ts';
import { keptFiles, useFileChanges } from '../../../../workbench/decoders/decoder-files.ts';
import type { KeptDecoder } from '../../../../workbench/decoders/kept-decoders.ts';
import {
  addDecoderFile,
  type FileResult,
  type NamedFile,
  namedFiles,
  removeDecoderFile,
  shortHash,
  takeRegisters,
} from '../../../../workbench/decoders/own-decoders.ts';
import styles from './decoders-panel.module.css';

export function DecoderFileList({ decoder: { id, text } }: { readonly decoder: KeptDecoder }) {
  const files = namedFiles(text);
  const sizes = useSizes(files);
  const [result, setResult] = useState<FileResult | null>(null);
  const [isOver, setOver] = useState(false);
  const add = async (file: File, wanted?: NamedFile) => setResult(await addDecoderFile(id, file, wanted));
  return (
    <section
      aria-label="Files of the decoder"
      className={styles['files']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) {
          void add(file);
        }
      }}
    >
      {files.length === 0 ? null : (
        <ul className={styles['fileRows']}>
          {files.map((file) => (
            <li key={`${file.name} ${file.sha256}`} className="row tight">
              <b className="ellipsis">{file.name}</b>
              <code className="small" title={file.sha256}>
                {shortHash(file.sha256)}
              </code>
              <FileState file={file} size={sizes?.get(file.sha256)} isKnown={sizes !== null} onChoose={add} />
              {file.use === 'registers' && sizes?.has(file.sha256) === true ? (
                <Button size="sm" variant="quiet" onClick={async () => setResult(await takeRegisters(id, file))}>
                  Edit as a table
                </Button>
              ) : null}
              <IconButton
                label={`Remove ${file.name} from the decoder`}
                size="sm"
                variant="quiet"
                icon={<X />}
                onClick={() => offerUndo(`${file.name} removed from the decoder`, removeDecoderFile(id, file.sha256))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="row tight">
        <FileButton onChoose={(file) => void add(file)}>Add a file…</FileButton>
        <span className="small">DBC, MAVLink XML, or a table of registers; choose it or drop it here.</span>
      </div>
      <div role="status">
        {result?.ok === true ? <p className="small">{result.note}.</p> : null}
        {result?.ok === false ? <Notice level="error" title={result.reason} /> : null}
      </div>
    </section>
  );
}

interface FileStateProps {
  readonly file: NamedFile;
  /** In bytes. Undefined: this browser does not have it. */
  readonly size: number | undefined;
  readonly isKnown: boolean;
  readonly onChoose: (file: File, wanted: NamedFile) => void;
}

function FileState({ file, size, isKnown, onChoose }: FileStateProps) {
  if (builtInFiles.has(file.sha256)) {
    return <span className="small">comes with Wirebench</span>;
  }
  if (!isKnown || size !== undefined) {
    return <span className="small">{size === undefined ? '' : sizeText(size)}</span>;
  }
  return <FileButton onChoose={(chosen) => onChoose(chosen, file)}>Choose {file.name}…</FileButton>;
}

interface FileButtonProps {
  readonly onChoose: (file: File) => void;
  readonly children: ReactNode;
}

/** Button that asks for one file. */
export function FileButton({ onChoose, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" icon={<FilePlus2 />} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) {
            onChoose(file);
          }
        }}
      />
    </>
  );
}

/** Returns the sizes of the files that this browser keeps; null until they are known. */
function useSizes(files: readonly NamedFile[]): ReadonlyMap<string, number> | null {
  const [sizes, setSizes] = useState<ReadonlyMap<string, number> | null>(null);
  const hashes = files.map(({ sha256 }) => sha256).join();
  const changes = useFileChanges();
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when a file was kept.
  useEffect(() => {
    let isOver = false;
    void keptFiles(hashes === '' ? [] : hashes.split(',')).then((kept) => {
      if (!isOver) {
        setSizes(new Map([...kept].map(([sha256, blob]) => [sha256, blob.size])));
      }
    });
    return () => {
      isOver = true;
    };
  }, [hashes, changes]);
  return sizes;
}
