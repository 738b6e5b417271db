/** Files dropped on the terminal that are no symbols: a strip says what each can be used for, and asks. */
import { FileText } from 'lucide-react';
import type { RereadableFile } from '../../../shared/files/changed-files.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { addCrashFile } from '../../../workbench/crash/symbol-files.ts';
import styles from '../../../workbench/strip.module.css';
import { importJkit } from '../panels/jkit-files.ts';
import { showPanels } from '../panels/store/jkit-actions.ts';
import { addDevicePanel } from '../panels/store/panel-actions.ts';
import { panelsNow } from '../panels/store/panels-store.ts';
import { chooseFile } from '../send/file-sending.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { useTerminalSession } from '../terminal-session.ts';
import type { DropUse } from './drop-use.ts';
import { showTool } from './open-tool.ts';

/** Bytes that are read to find out what a file is: the largest JKit file. */
const readLimit = 1 << 20;

interface DroppedFile {
  readonly file: File;
  readonly use: Exclude<DropUse, 'crashes'>;
}

const droppedFiles = pageStore<{ readonly files: readonly DroppedFile[] }>({ files: [] });

/** Opens symbols, dumps and logs of crashes at once. Other files, and all logs, get a strip. */
export async function takeDroppedFile({ file, reread }: RereadableFile): Promise<void> {
  const use = await readUse(file);
  if (use === 'crashes' || use === 'crash-log') {
    void addCrashFile(file, reread === undefined ? {} : { reread });
    showTool('crashes');
  }
  if (use !== 'crashes') {
    droppedFiles.setState(({ files }) => ({ files: [...files, { file, use }] }));
  }
}

/** Reads the start of a file to find out what it is for. */
export async function readUse(file: File): Promise<DropUse> {
  try {
    const bytes = new Uint8Array(await file.slice(0, readLimit).arrayBuffer());
    return (await import('./drop-use.ts')).dropUse(bytes);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
    // The crash inspector reports files that cannot be read.
    return 'crashes';
  }
}

async function openInTab(file: File): Promise<void> {
  const { openLog } = await import('../../../workbench/opened-log/open-log.ts');
  openLog(file);
}

async function openDecoder(file: File): Promise<void> {
  const { openDecoderFile } = await import('./decoders/open-decoder-file.ts');
  await openDecoderFile(file);
}

function close(dropped: DroppedFile): void {
  droppedFiles.setState(({ files }) => ({ files: files.filter((other) => other !== dropped) }));
}

export function DroppedFileStrips() {
  return droppedFiles
    .use(({ files }) => files)
    .map((dropped) => <DroppedFileStrip key={`${dropped.file.name} ${dropped.file.lastModified}`} dropped={dropped} />);
}

function DroppedFileStrip({ dropped }: { readonly dropped: DroppedFile }) {
  const { file, use } = dropped;
  const port = useTerminalSession((session) => session.selectedPort);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const open = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  const then = (act: () => void) => () => {
    close(dropped);
    act();
  };
  return (
    <div className={`row ${styles['strip']}`} role="status">
      <FileText />
      <span>
        <b>{file.name}</b>, {sizeText(file.size)}.{' '}
        {use === 'jkit'
          ? 'A JKit: it can be loaded into a panel.'
          : use === 'decoder'
            ? 'A decoder of frames: it can be opened. No port gets it by that.'
            : use === 'crash-log'
              ? 'A log with a crash: it can be opened with all tools.'
              : `A text: it can be opened as a log, sent${open ? '' : ` once ${name} is open`}, or searched for crashes.`}
      </span>
      <span className={styles['end']}>
        {use === 'jkit' ? (
          <Button size="sm" onClick={then(() => loadIntoPanel(file))}>
            Load into a panel
          </Button>
        ) : use === 'decoder' ? (
          <Button size="sm" onClick={then(() => void openDecoder(file))}>
            Open the decoder
          </Button>
        ) : (
          <>
            <Button size="sm" onClick={then(() => void openInTab(file))}>
              Open the log
            </Button>
            {open && use === 'text' ? (
              <Button size="sm" onClick={then(() => chooseFile(port, file))}>
                Send to {name}…
              </Button>
            ) : null}
            {use === 'text' ? (
              <Button
                size="sm"
                onClick={then(() => {
                  void addCrashFile(file);
                  showTool('crashes');
                })}
              >
                Look for crashes
              </Button>
            ) : null}
          </>
        )}
        <Button size="sm" variant="quiet" onClick={() => close(dropped)}>
          Cancel
        </Button>
      </span>
    </div>
  );
}

/** Loads the file into the first panel without messages, else a new one, else the first. The panel offers Undo. */
function loadIntoPanel(file: File): void {
  const empty = () => panelsNow().panels.find(({ pinnedMessages }) => pinnedMessages.length === 0);
  if (empty() === undefined) {
    addDevicePanel();
  }
  const panel = empty() ?? panelsNow().panels[0];
  showPanels();
  if (panel !== undefined) {
    void importJkit(panel, file);
  }
}
