/** Finds a package of micropython-lib, shows its files, and writes them to the board. */
import { useEffect, useRef, useState } from 'react';
import { sizeText } from '../../../../shared/format/bytes.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../shared/ui/dialog.tsx';
import { Field } from '../../../../shared/ui/field.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { ManifestTaskError, readManifestFiles } from '../../../../workbench/manifest-loader.ts';
import styles from './board-files-panel.module.css';
import type { PortProps } from './board-part.ts';
import { type BoardView, writeToBoard } from './board-store.ts';
import { type FoundPackage, findPackage, PackageError } from './find-package.ts';

interface BoardPackageDialogProps extends PortProps {
  readonly view: BoardView;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function BoardPackageDialog({ port, view, open, onClose }: BoardPackageDialogProps) {
  const [name, setName] = useState('');
  const [version, setVersion] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [found, setFound] = useState<FoundPackage | null>(null);
  const [isBusy, setBusy] = useState(false);
  const search = useRef<AbortController | null>(null);
  useEffect(() => () => search.current?.abort(), []);
  const there = new Set((view.tree?.entries ?? []).map(({ path }) => path));
  /** Forgets what was found for another name. */
  const change = (act: () => void) => {
    search.current?.abort();
    setFound(null);
    setFailure(null);
    act();
  };
  const find = async () => {
    const own = new AbortController();
    search.current = own;
    setBusy(true);
    try {
      const result = await findPackage(name.trim(), version.trim(), (files) =>
        readManifestFiles(
          files.map((file) => ({ ...file, offset: 0, size: null, sha256: null })),
          own.signal,
          () => undefined,
        ),
      );
      if (!own.signal.aborted) {
        setFound(result);
      }
    } catch (error) {
      if (!own.signal.aborted) {
        setFailure(failureText(error));
      }
    } finally {
      if (search.current === own) {
        setBusy(false);
      }
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Install a package"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={found === null}
            onClick={() => {
              onClose();
              writeToBoard(port, found?.files ?? []);
            }}
          >
            {found === null ? 'Write' : `Write ${counted(found.files.length, 'file')}`}
          </Button>
        </>
      }
    >
      <form
        className={styles['package']}
        onSubmit={(event) => {
          event.preventDefault();
          void find();
        }}
      >
        <p className={styles['facts']}>
          From micropython-lib, which this page asks at micropython.org. Nothing is written before you have seen the
          files.
        </p>
        <Field label="Name" error={failure}>
          {(ids) => (
            <TextInput
              {...ids}
              mono
              placeholder="aioble"
              value={name}
              onChange={({ currentTarget: { value } }) => change(() => setName(value))}
            />
          )}
        </Field>
        <Field label="Version">
          {(ids) => (
            <TextInput
              {...ids}
              mono
              placeholder="latest"
              value={version}
              onChange={({ currentTarget: { value } }) => change(() => setVersion(value))}
            />
          )}
        </Field>
        <Button type="submit" busy={isBusy} disabled={name.trim() === ''}>
          Look up
        </Button>
        <div role="status">
          {found === null ? null : (
            <>
              <p>
                <b>{found.packages[0]}</b>
                {found.packages.length > 1 ? ` with ${found.packages.slice(1).join(', ')}` : ''}, each file equal to its
                hash in the index:
              </p>
              <ul aria-label="Files of the package">
                {found.files.map(({ path, content }) => (
                  <li key={path}>
                    <code>{path}</code>, {sizeText(content.length)}
                    {there.has(path) ? ', replaces the one on the board' : ''}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function failureText(error: unknown): string {
  if (error instanceof PackageError) {
    return error.message;
  }
  if (error instanceof ManifestTaskError) {
    return error.code === 'refused-by-server'
      ? `micropython-lib has no such package, or not in this version. ${error.message}`
      : `${error.message} ${error.remedy}`;
  }
  console.warn('The package cannot be found.', error);
  return 'The package could not be looked up. Try again.';
}
