import { buildsOf, type FlashesAnswer, type Project, type Version } from '@wirebench/contract';
import { buildName } from '@wirebench/flasher/release/builds';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { useFlashes } from '../calls/versions.ts';
import { countText } from '../count-text.ts';
import { DialogAnswer } from './dialog-answer.tsx';
import styles from './dialog-table.module.css';

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

type FlashCount = FlashesAnswer['flashes']['counts'][number];

interface ChipFlashes {
  /** Null if the flasher did not report the chip. */
  readonly chip: string | null;
  /** Successes first, then failures by frequency, highest first. */
  readonly lines: readonly FlashCount[];
}

/** Groups the counts by chip. Sorted by number of flashes, highest first. */
export function flashesByChip(counts: readonly FlashCount[]): ChipFlashes[] {
  const total = (lines: readonly FlashCount[]) => lines.reduce((sum, { count }) => sum + count, 0);
  const rank = ({ result }: FlashCount) => (result === 'success' ? 0 : 1);
  return Array.from(
    Map.groupBy(counts, ({ chip }) => chip),
    ([chip, lines]) => ({
      chip,
      lines: lines.toSorted((one, other) => rank(one) - rank(other) || other.count - one.count),
    }),
  ).sort((one, other) => total(other.lines) - total(one.lines));
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
  const names = new Map(buildsOf(version, project).map((build) => [build._id, buildName(build)]));
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
