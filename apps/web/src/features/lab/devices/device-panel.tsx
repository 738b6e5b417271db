/**
 * Panel of the selected device: its JKit with readings and registers, or a choice of JKits, and the bytes of any
 * device.
 */
import { useId } from 'react';
import { hexNumber } from '../../../shared/format/hex.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import panel from '../panel.module.css';
import { useChoice } from '../store/drafts.ts';
import { tell } from '../store/run.ts';
import { closeDevice } from './device-actions.ts';
import { DeviceChoice } from './device-choice.tsx';
import styles from './device-panel.module.css';
import { DeviceReadings } from './device-readings.tsx';
import { DeviceRegisters } from './device-registers.tsx';
import { useDevices } from './device-store.ts';
import { isDisplay } from './display-part.ts';
import { DisplayText } from './display-text.tsx';
import { Initialise } from './initialise.tsx';
import { RegisterMap } from './register-map.tsx';

const views = {
  readings: 'Readings',
  registers: 'Registers',
  display: 'Display',
  map: 'Register map',
} as const;

type View = keyof typeof views;

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
        <h2 className={styles['title']}>{content?.name ?? 'Device'}</h2>
        <span className={panel['facts']}>
          <b className={styles['address']}>{hexNumber(address)}</b>
          {device === undefined ? null : ` ${publisher === null ? 'your JKit' : `JKit by ${publisher}`}`}
        </span>
        {device === undefined ? null : (
          <span className={panel['end']}>
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
