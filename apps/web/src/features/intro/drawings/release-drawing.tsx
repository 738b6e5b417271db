/** A project of the release manager with its versions and a link that opens the flasher. */
import { Globe, Link2, Lock } from 'lucide-react';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Drawing } from './drawing.tsx';
import styles from './release-drawing.module.css';

const versions = [
  {
    number: '1.4.0',
    flashes: '412 flashes',
    isPublic: true,
    files: [
      { offset: '0x1000', name: 'bootloader.bin' },
      { offset: '0x8000', name: 'partition-table.bin' },
      { offset: '0x10000', name: 'weather-node.bin' },
    ],
  },
  { number: '1.5.0-rc1', flashes: '3 flashes', isPublic: false, files: [] },
];

export function ReleaseDrawing() {
  return (
    <Drawing label="A project with a public version of three files, a private one, and a share link">
      <div className={styles['head']}>
        <b>weather-node</b>
        <Visibility isPublic={true} />
      </div>
      {versions.map(({ number, flashes, isPublic, files }) => (
        <div key={number} className={styles['version']}>
          <div className={styles['line']}>
            <b>{number}</b>
            <span>{flashes}</span>
            <Visibility isPublic={isPublic} />
          </div>
          {files.length === 0 ? null : (
            <ul className={styles['files']}>
              {files.map(({ offset, name }) => (
                <li key={name}>
                  <b>{offset}</b> {name}
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
      <div className={`row ${styles['link']}`}>
        <Link2 />
        <span>/release.html?type=version&id=hS3vQ0mTz8uXyK1cR5nWdg</span>
      </div>
    </Drawing>
  );
}

function Visibility({ isPublic }: { readonly isPublic: boolean }) {
  return isPublic ? (
    <Badge tone="success" icon={<Globe />}>
      Public
    </Badge>
  ) : (
    <Badge icon={<Lock />}>Private</Badge>
  );
}
