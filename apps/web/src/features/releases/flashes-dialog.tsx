import type { FlashesAnswer, Project, Version } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { buildsOf } from '../../workbench/release-builds.ts';
import { useFlashes } from './calls/versions.ts';
import { DialogAnswer } from './dialog-answer.tsx';
import styles from './dialog-table.module.css';
import { countText } from './model/count-text.ts';
import { flashesByChip } from './model/flashes-by-chip.ts';

export interface FlashesDialogProps {
  readonly project: Project;
  readonly version: Version;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Shows the results of a version's flashes by chip, with the failures. Visible to the owner only. */
export function FlashesDialog({ project, version, open, onClose }: FlashesDialogProps) {
  const { _id: id, version: number } = version;
  const query = useFlashes(id, open);
  return (
    <Dialog open={open} onClose={onClose} title={`Flashes of version ${number}`}>
      <DialogAnswer query={query} what="flashes">
        {(flashes) => (
          <>
            <Flashes flashes={flashes} />
            <BuildFlashes project={project} version={version} flashes={flashes} />
          </>
        )}
      </DialogAnswer>
      <p className="small">
        Flashers report the result, chip and error code of a flash, but nothing about the person or the board.
      </p>
    </Dialog>
  );
}

function Flashes({ flashes }: { readonly flashes: FlashesAnswer['flashes'] }) {
  const { successes, failures, counts } = flashes;
  if (counts.length === 0) {
    return <p>Nobody has flashed this version yet.</p>;
  }
  return (
    <>
      <p className="num">
        {countText(successes)} successful, {countText(failures)} failed
      </p>
      <div className={styles['scroll']}>
        <table className={`table ${styles['table']}`}>
          <thead>
            <tr>
              <th scope="col">Chip</th>
              <th scope="col">Result</th>
              <th scope="col" className="number">
                Count
              </th>
            </tr>
          </thead>
          <tbody>
            {flashesByChip(counts).flatMap(({ chip, lines }) =>
              lines.map(({ result, errorCode, count }, index) => (
                <tr key={`${chip} ${result} ${errorCode}`}>
                  {index === 0 ? (
                    <th scope="rowgroup" rowSpan={lines.length}>
                      {chip ?? 'Not reported'}
                    </th>
                  ) : null}
                  <td>
                    {result === 'success' ? (
                      'Successful'
                    ) : (
                      <>
                        Failed: <code>{errorCode ?? 'no code'}</code>
                      </>
                    )}
                  </td>
                  <td className="number">{countText(count)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface BuildFlashesProps extends Pick<FlashesDialogProps, 'project' | 'version'> {
  readonly flashes: FlashesAnswer['flashes'];
}

/** Flashes of each build. Nothing for a version of the simple form, or before the first flash. */
function BuildFlashes({ project, version, flashes: { counts, builds = [] } }: BuildFlashesProps) {
  if (builds.length === 0 || counts.length === 0) {
    return null;
  }
  const names = new Map(buildsOf(version, project).map((build) => [build.id, buildName(build)]));
  return (
    <div className={styles['scroll']}>
      <table className={`table ${styles['table']}`}>
        <thead>
          <tr>
            <th scope="col">Build</th>
            <th scope="col" className="number">
              Successful
            </th>
            <th scope="col" className="number">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {builds.map(({ buildId, successes, failures }) => (
            <tr key={buildId}>
              <th scope="row">{names.get(buildId) ?? 'Unknown build'}</th>
              <td className="number">{countText(successes)}</td>
              <td className="number">{countText(failures)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
