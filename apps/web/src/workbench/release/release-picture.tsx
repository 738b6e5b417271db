/** Picture of a release: the one that its publisher has chosen, or the drawing of its board. */
import type { Picture, PictureTheme } from '@wirebench/contract';
import { useEffect, useState } from 'react';
import { useTheme } from '../../shared/theme/theme.ts';
import { BoardPicture, type BoardPictureProps } from './board-picture.tsx';
import styles from './release-picture.module.css';

/** Place of the picture's files. */
export interface PictureSource {
  readonly addressOf: (theme: PictureTheme) => string;
  /** True: only the owner may read them, so they are requested with the owner's token. */
  readonly own: boolean;
}

export interface ReleasePictureProps extends BoardPictureProps {
  /** Undefined: the release has none. */
  readonly picture: Picture | undefined;
  readonly source: PictureSource;
}

export function ReleasePicture({ picture, source, device }: ReleasePictureProps) {
  const theme = useTheme();
  const chosen = picture?.[theme] === undefined ? (theme === 'dark' ? 'light' : 'dark') : theme;
  const file = picture?.[chosen];
  const address = file === undefined ? null : source.addressOf(chosen);
  const loaded = useOwnFile(source.own ? address : null, file?.sha256);
  const [missing, setMissing] = useState<string | null>(null);
  // Names the bytes, so that a replaced picture is tried again.
  const key = `${address} ${file?.sha256}`;
  if (picture === undefined || address === null || missing === key || loaded === 'missing') {
    return <BoardPicture device={device} />;
  }
  const src = source.own ? loaded : address;
  return src === null ? null : (
    <img key={key} className={styles['picture']} src={src} alt={picture.text} onError={() => setMissing(key)} />
  );
}

/**
 * Returns a file of the owner as an address that an image can show; null until it is loaded.
 *
 * @param path Path of the API; null if there is nothing to load.
 * @param sha256 Hash of the file, by which a replaced one is loaded again.
 */
function useOwnFile(path: string | null, sha256: string | undefined): string | 'missing' | null {
  const [loaded, setLoaded] = useState<{ readonly of: string; readonly address: string } | null>(null);
  const of = `${path} ${sha256}`;
  useEffect(() => {
    if (path === null) {
      return;
    }
    const abort = new AbortController();
    import('./own-picture.ts')
      .then(({ loadOwnPicture }) => loadOwnPicture(path, abort.signal))
      .catch(() => 'missing')
      .then((address) => {
        if (!abort.signal.aborted) {
          setLoaded({ of, address });
        }
      });
    return () => abort.abort();
  }, [path, of]);
  return loaded?.of === of ? loaded.address : null;
}
