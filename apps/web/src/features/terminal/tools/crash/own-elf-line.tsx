import { Button } from '../../../../shared/ui/button.tsx';
import type { ListedFile } from '../../../../workbench/crash/symbol-files.ts';
import styles from '../../../../workbench/crash/view/crash-panel.module.css';
import { useOwnElf } from './own-elf.ts';

export interface OwnElfLineProps {
  /** First hexadecimal digits of the SHA-256 of the ELF file that ran. Null: unknown. */
  readonly build: string | null;
  readonly files: readonly ListedFile[];
}

/** Searches the user's own releases for the ELF file, and shows the progress. */
export function OwnElfLine({ build, files }: OwnElfLineProps) {
  const { search, retry } = useOwnElf(build, files);
  return (
    <div role="status" className={styles['small']}>
      {search.state === 'fetching' ? `Fetching the ELF file of ${search.release} from your releases.` : null}
      {search.state === 'failed' ? (
        <>
          The ELF file could not be fetched from your releases: {search.reason}{' '}
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </>
      ) : null}
    </div>
  );
}
