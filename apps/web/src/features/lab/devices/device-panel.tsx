/**
 * Panel of the selected device: its JKit with readings and registers, or a choice of JKits, and the bytes of any
 * device.
 */
import { useId, useState } from 'react';
import { hexBytes, hexNumber } from '../../../shared/format/hex.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { clockTime } from '../../../workbench/console/row-times.ts';
import { useStepVariant } from '../next-step.ts';
import panel from '../panel.module.css';
import { useChoice } from '../store/drafts.ts';
import { tell, useRun } from '../store/run.ts';
import { closeDevice, initialise, initialWrites } from './device-actions.ts';
import { CheckIdentity, DeviceChoice } from './device-choice.tsx';
import styles from './device-panel.module.css';
import { DeviceReadings } from './device-readings.tsx';
import { DeviceRegisters } from './device-registers.tsx';
import { type OpenDevice, useDevices } from './device-store.ts';
import { isDisplay } from './display-part.ts';
import { DisplayText } from './display-text.tsx';
import { RegisterMap } from './register-map.tsx';

const views = {
  readings: 'Readings',
  registers: 'Registers',
  display: 'Display',
  map: 'Register map',
} as const;

type View = keyof typeof views;

interface DeviceProps {
  readonly address: number;
  readonly device: OpenDevice;
}

/** Sets a device up with the writes of its JKit, after the user has seen every byte. */
function Initialise({ address, device }: DeviceProps) {
  const { content } = device.chip;
  const [asking, setAsking] = useState(false);
  const { busy, run } = useRun();
  const variant = useStepVariant('initialise', address);
  const count = content.init.length;
  return (
    <>
      {count === 0 ? (
        <span className="small">It needs no set-up.</span>
      ) : (
        <>
          <Button size="sm" variant={variant} busy={busy} onClick={() => setAsking(true)}>
            Initialise…
          </Button>
          <span className="small" role="status">
            {device.initialisedAt === null
              ? `${writes(count)}; not initialised here yet`
              : `initialised at ${clockTime(device.initialisedAt).slice(0, 8)}`}
          </span>
        </>
      )}
      {content.identification.length === 0 ? null : <CheckIdentity address={address} isFitting={device.isFitting} />}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        harmless
        title={`Initialise ${content.name} at ${hexNumber(address)}?`}
        text={`The JKit writes this to the device, ${writes(count)} in all:`}
        action="Initialise"
        onConfirm={() => {
          setAsking(false);
          void run(() => initialise(address));
        }}
      >
        {asking ? <Writes address={address} device={device} /> : null}
      </ConfirmDialog>
    </>
  );
}

function Writes({ address, device }: DeviceProps) {
  return (
    <ol className={styles['writes']}>
      {initialWrites(device.chip.content, address).map(({ bytes, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: writes have no other name.
        <li key={index}>
          <code>{hexBytes(bytes)}</code> <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

const writes = (count: number) => (count === 1 ? '1 write' : `${count} writes`);

export function DevicePanel({ address }: { readonly address: number }) {
  const device = useDevices(({ open }) => open.get(address));
  const id = useId();
  const content = device?.chip.content;
  const hasDisplay = content !== undefined && isDisplay(content);
  const usual: View = content === undefined ? 'map' : hasDisplay ? 'display' : 'readings';
  const offered: readonly View[] =
    content === undefined ? [] : ['readings', 'registers', ...(hasDisplay ? (['display'] as const) : []), 'map'];
  const [view, setView] = useChoice(`device ${address} view`, offered, usual);
  const publisher = device?.chip.publisher ?? null;
  return (
    <section className={panel['panel']} aria-label="Device">
      <div className={panel['head']}>
        <h2 className={`ellipsis ${styles['title']}`}>{content?.name ?? 'Device'}</h2>
        <span className={panel['facts']}>
          <b className={styles['address']}>{hexNumber(address)}</b>
          {device === undefined ? null : ` ${publisher === null ? 'your JKit' : `JKit by ${publisher}`}`}
        </span>
        {device === undefined ? null : (
          <span className={`row tight ${panel['end']}`}>
            <label htmlFor={id} className="visually-hidden">
              Show
            </label>
            <Select
              id={id}
              className={styles['views']}
              value={view}
              onChange={({ currentTarget }) => setView(currentTarget.value as View)}
            >
              {offered.map((name) => (
                <option key={name} value={name}>
                  {views[name]}
                </option>
              ))}
            </Select>
            <Button size="sm" variant="quiet" onClick={() => void tell(() => closeDevice(address))}>
              Other JKit
            </Button>
          </span>
        )}
      </div>
      {device === undefined || content === undefined ? (
        <div className={panel['body']}>
          <DeviceChoice address={address} />
          <RegisterMap address={address} />
        </div>
      ) : (
        <div className={panel['body']}>
          {device.isUnlikely ? (
            <div className={styles['notice']}>
              <Notice level="warning" title="This may be another device.">
                Its registers do not hold what the JKit expects. Readings may mean nothing.
              </Notice>
            </div>
          ) : null}
          {device.failure === null ? null : (
            <div className={styles['notice']}>
              <Notice
                level="error"
                title={device.interval === null ? 'Reading has ended.' : 'The last reading failed.'}
              >
                {device.failure} Check power and wiring, then initialise the device again.
              </Notice>
            </div>
          )}
          {device.needsSetUp ? (
            <div className={styles['notice']} role="status">
              <Notice level="info" title="Initialise the device first.">
                It does not hold what the JKit writes to set it up, so it has not measured yet.
              </Notice>
            </div>
          ) : null}
          <div className={styles['set-up']}>
            <Initialise address={address} device={device} />
            {device.chip.origin === 'shared' ? <Badge tone="neutral">Shared by somebody else</Badge> : null}
          </div>
          {view === 'readings' ? <DeviceReadings address={address} device={device} /> : null}
          {view === 'registers' ? <DeviceRegisters address={address} device={device} /> : null}
          {view === 'display' ? <DisplayText address={address} device={device} /> : null}
          {view === 'map' ? <RegisterMap address={address} /> : null}
        </div>
      )}
    </section>
  );
}
